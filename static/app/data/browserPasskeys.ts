/** The library that asks browsers for passkeys. In a file of its own, which is loaded when one is wanted. */
export { startAuthentication, startRegistration } from '@simplewebauthn/browser';
