/** socket.io's client of the second protocol, for Etherpad 1.8.14: as much of it as the tests use. */
declare module 'socket.io-client-2' {
  interface Socket {
    on(event: string, listener: (value: unknown) => void): this;
    emit(event: string, value: unknown): this;
    close(): this;
    connected: boolean;
  }
  interface Options {
    transports?: string[];
    reconnection?: boolean;
    forceNew?: boolean;
    extraHeaders?: Record<string, string>;
  }
  function connect(url: string, options: Options): Socket;
  export = connect;
}
