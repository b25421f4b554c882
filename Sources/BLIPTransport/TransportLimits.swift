import NIOCore

/// Times and sizes of the transport, each with its reason.
public enum TransportLimits {
    /// Couchbase Lite's defaults.
    public static let heartbeat: TimeAmount = .seconds(300)
    public static let longestPongTimeout: TimeAmount = .seconds(20)
    /// How long a pong may take if there is reason to doubt the connection.
    static let checkTimeout: TimeAmount = .seconds(10)
    /// Additional time for a pong that is still unread in the socket.
    static let longestPongGrace: TimeAmount = .seconds(1)
    /// Bytes that an empty ping is at most on its way, TLS included.
    static let pingBytes: UInt64 = 64
    /// How long a server may owe a reply and send no frame until that is reported, and until the connection is given up. A
    /// gateway answers each request at once, even the one for changes, although it may search long for those. An
    /// overloaded gateway may need minutes, and would need them again for each new connection.
    public static let silenceNotice: TimeAmount = .seconds(15)
    public static let longestSilence: TimeAmount = .minutes(10)
    public static let connectTimeout: TimeAmount = .seconds(15)
    public static let closeTimeout: TimeAmount = .seconds(5)
    public static let redirects = 10

    /// Bytes of an incoming WebSocket message, all its fragments together; clients refuse more than this too.
    public static let webSocketMessageBytes = 1 << 20
    /// Fragments of one message; RFC 6455 sets no limit, and empty fragments cost only the sender nothing.
    public static let webSocketFragments = 1_024
    /// The window in which a client that has begun a message is watched, and the bytes that must arrive in it: 512 a
    /// second. A phone at the edge of a 2G network brings four times as many, and may be silent for half of the time.
    public static let arrivalPace = ArrivalPace(window: .seconds(60), bytes: 30 << 10)
    /// Windows in succession that may have fewer bytes, if no more than a step of memory (`memoryStep`) is unfinished:
    /// so much takes two windows at that pace.
    static let slowWindowsOfLittle = 2
    /// Windows after which each unfinished message must have made progress. Messages take turns with frames of 16 KiB:
    /// if there are fifty, each waits minutes for its next frame.
    static let windowsPerMessage = 10
    /// Bytes that a connection takes from its owner's account at once: most messages are smaller, and arrive in one
    /// frame.
    public static let memoryStep = 64 << 10
    /// Bytes of a first request that are not counted on any account.
    static let uncountedRequest = 16 << 10
    /// Bytes that a message takes in addition to its properties and body while it waits for its session.
    static let bytesOfWaitingMessage = 256
    /// Messages that may wait for a client to read; above that, this side does not read from it until half of them are sent.
    /// A client that reads gets all of its answers at once.
    static let unreadMessages = 2_000
    /// How long a client may read nothing of its answer: a phone may be without a network for a minute. Its messages
    /// wait on its user's account.
    public static let readingLimit = TimeAmount.minutes(2)
    /// Bytes of a client's message on a WebSocket without BLIP, which has the options of a feed.
    public static let clientMessageBytes = 64 << 10
    /// Bytes of an error answer that are read for its reason.
    public static let errorBodyBytes = 16 << 10
    /// Bytes that a server keeps if a client sends before its upgrade is decided.
    public static let bytesBeforeUpgrade = 256 << 10
    /// Bytes of a path or a header that has more than ASCII.
    static let unencodedText = 1_024
    /// How long a new connection may take to send its first request's head.
    public static let firstRequestTimeout: TimeAmount = .seconds(30)
    /// How long the rest of a refused first request is read and discarded: most clients read only after they have sent
    /// all, and if their bytes are not read, they get a reset instead of the answer.
    static let restOfRefusedRequest: TimeAmount = .seconds(30)
    /// Bytes of the text in a Close: control frames end at 125, two of which are the code.
    static let closeReasonBytes = 123
    /// Bytes to which the frames of a connection may inflate before others get their turn; one more frame may exceed
    /// it. One read of a socket with ordinary documents inflates to less than one megabyte.
    static let inflatedBytesPerTurn = 4 << 20
    /// Bytes that are added for each frame, so that a turn has at most two thousand frames, whatever their size.
    static let frameCost = 2 << 10
    /// Small pieces of one account or one address a second: frames, and parts of requests, which count as four each. A push
    /// or a pull of small documents needs a third of it.
    public static let piecesPerSecond = 100_000
    /// Bytes from which a piece is not small.
    static let bytesOfPiece = 1_024
    /// Bytes that a decoder gets at once, and the free pieces in them: a small request has four parts.
    static let pacedBytes = 8 << 10
    static let freePieces = 16
    /// Slices without small pieces after which a connection is not delayed because of the small pieces of others.
    static let slicesInDoubt = 32
    /// Nanoseconds that an account may be ahead of its pace, and the longest delay for the pieces that it has sent.
    static let pieceBurst: UInt64 = 50_000_000
    static let longestPieceDebt: UInt64 = 1_000_000_000
    /// The shortest delay of a connection, in nanoseconds: an account may have hundreds of connections that check again
    /// and again.
    static let shortestPieceDelay: UInt64 = 50_000_000
    /// Bytes written before a flush, and before reading gets its turn.
    static let bytesPerFlush = 64 << 10
    static let bytesPerTurn = 1 << 20
    /// Bytes in a socket's buffer at which frames stop, and begin again to be made. Large enough for some hundred
    /// documents a flush, small enough for an urgent message to overtake the rest.
    public static let writeBufferLowWaterMark = 64 << 10
    public static let writeBufferHighWaterMark = 256 << 10
}
