import NIOCore

/// Times and sizes of the transport, each with its reason.
public enum TransportLimits {
    /// Couchbase Lite's defaults.
    public static let heartbeat: TimeAmount = .seconds(300)
    public static let longestPongTimeout: TimeAmount = .seconds(20)
    /// How long a pong may take where there is reason to doubt the connection.
    static let checkTimeout: TimeAmount = .seconds(10)
    /// Beyond the pong timeout, for a pong that lies unread in the socket.
    static let longestPongGrace: TimeAmount = .seconds(1)
    /// Bytes that an empty ping is at most on its way, TLS included.
    static let pingBytes: UInt64 = 64
    /// How long a server may owe a reply and send no frame until that is reported, and until the connection is given up. A
    /// gateway answers each request at once, also the one for changes, which it may take long to look for; one that is
    /// overloaded may need minutes, and would need them again for each new connection.
    public static let silenceNotice: TimeAmount = .seconds(15)
    public static let longestSilence: TimeAmount = .minutes(10)
    public static let connectTimeout: TimeAmount = .seconds(15)
    public static let closeTimeout: TimeAmount = .seconds(5)
    public static let redirects = 10

    /// Bytes of an incoming WebSocket message, all its fragments together; clients refuse more than this too.
    public static let webSocketMessageBytes = 1 << 20
    /// Fragments of one message; RFC 6455 sets no limit, and empty fragments cost only the sender nothing.
    public static let webSocketFragments = 1_024
    /// How long a client is watched at a time that has begun a message, and the bytes that have to come meanwhile: 512 a
    /// second. A phone at the edge of a 2G network brings four times as many, and may be silent for half of the time.
    public static let arrivalPace = ArrivalPace(window: .seconds(60), bytes: 30 << 10)
    /// Windows in succession in which less may come where only a step of memory (`memoryStep`) is unfinished: so much
    /// takes two of them at that pace.
    static let slowWindowsOfLittle = 2
    /// How often that has to be the case until each unfinished message has to have got on: messages take turns, frame by
    /// frame of 16 KiB, so that with fifty at the same time each waits minutes for its next one.
    static let windowsPerMessage = 10
    /// Bytes that a connection asks its owner's account for at once: most messages are smaller frames that come whole.
    public static let memoryStep = 64 << 10
    /// Bytes of a first request that are on nobody's account.
    static let uncountedRequest = 16 << 10
    /// Bytes that a message takes beside its properties and its body while it waits for its session.
    static let bytesOfWaitingMessage = 256
    /// Messages that wait for a client to read, beyond which nothing more is read of it until half of them are gone. A client
    /// that reads has all of its answers at once.
    static let unreadMessages = 2_000
    /// How long a client may read nothing of its answer: a phone may be without a network for a minute, and what waits
    /// for it is on its user's account meanwhile.
    public static let readingLimit = TimeAmount.minutes(2)
    /// Bytes of a client's message on a WebSocket without BLIP: what a feed is asked for.
    public static let clientMessageBytes = 64 << 10
    /// Bytes of an error answer that are read for its reason.
    public static let errorBodyBytes = 16 << 10
    /// Bytes a server keeps of a client that sends before its upgrade is decided.
    public static let bytesBeforeUpgrade = 256 << 10
    /// Bytes of a path or a header that has more than ASCII.
    static let unencodedText = 1_024
    /// How long a new connection may take to send its first request's head.
    public static let firstRequestTimeout: TimeAmount = .seconds(30)
    /// How long the rest of a first request is read and thrown away that was refused: most clients listen when they have
    /// sent all, and one whose bytes are not read gets a reset instead of the answer.
    static let restOfRefusedRequest: TimeAmount = .seconds(30)
    /// Bytes of the text in a Close: control frames end at 125, two of which are the code.
    static let closeReasonBytes = 123
    /// Bytes to which a connection's frames inflate before others get their turn, and one frame more. Text of ordinary
    /// documents that a socket gives at once inflates to less than one megabyte.
    static let inflatedBytesPerTurn = 4 << 20
    /// Inflated bytes as which each frame counts beside its own: two thousand frames are a turn at most, whatever is in them.
    static let frameCost = 2 << 10
    /// Small pieces of one account or one address a second: frames, and, each as four, parts of requests. A push or a pull of
    /// small documents has a third of it.
    public static let piecesPerSecond = 100_000
    /// Bytes of which one piece is no small one.
    static let bytesOfPiece = 1_024
    /// Bytes that are given to a decoder at once, and the pieces in them that are free: a small request is of four parts.
    static let pacedBytes = 8 << 10
    static let freePieces = 16
    /// Slices without small pieces after which a connection is not held back for those of others.
    static let slicesInDoubt = 32
    /// Nanoseconds that an account may be ahead of its pace, and that it is held back at most for what it has sent.
    static let pieceBurst: UInt64 = 50_000_000
    static let longestPieceDebt: UInt64 = 1_000_000_000
    /// Nanoseconds that a connection is held back at least: hundreds of one account look again and again.
    static let shortestPieceDelay: UInt64 = 50_000_000
    /// Bytes written before a flush, and before reading gets its turn.
    static let bytesPerFlush = 64 << 10
    static let bytesPerTurn = 1 << 20
    /// Bytes in a socket's buffer at which frames stop, and begin again to be made. Large enough for some hundred
    /// documents a flush, small enough for an urgent message to overtake the rest.
    public static let writeBufferLowWaterMark = 64 << 10
    public static let writeBufferHighWaterMark = 256 << 10
}
