import BLIPTransport
import GatewayCore
import NIOCore

/// The limits of the ports.
enum GatewayServerLimits {
    /// How often the list of administrators is read, also to check those with an open connection.
    static let administratorLook = Duration.seconds(1)
    /// Bytes of a request's body: a document, and room for the JSON around it in `_bulk_docs`.
    static let body = GatewayLimits.documentSize + (1 << 20)
    /// Members and elements, at all levels, of a JSON body other than a document: of `_bulk_docs`, which is read at once,
    /// or of 100,000 rows. A million take some tenths of a second.
    static let bodyValues = 1_000_000
    /// Bytes of a document that comes with its attachments behind it.
    static let multipartBody = 5 * GatewayLimits.attachmentSize
    /// Bytes of a body that clients may send without credentials: a name and a password.
    static let openBody = 16 << 10
    /// Bytes of a body that are not counted: all requests in flight together may have so many.
    static let uncountedBody = 16 << 10
    /// Bytes that a name of a feed's filter, or a key, takes in a collection in addition to its text.
    static let bytesOfFilterName = 48

    /// Bytes that the names of a filter, or keys, take for as long as the request lasts.
    static func bytes(ofFilter names: some Sequence<String>) -> Int {
        names.reduce(0) { $0 + $1.utf8.count + bytesOfFilterName }
    }

    /// Bytes of an answer, or of a piece of it, that are not counted, for the same reason.
    static let uncountedAnswer = 16 << 10
    /// Attempts to sign in that have a line of the audit log within a minute: failed attempts of one address, and successful
    /// attempts of one user.
    static let loginsAudited = 100
    /// Syncs of one account that have a line of the log when they end, within a minute: a depot whose tablets share a name has
    /// tens. The others are only counted.
    static let syncsLogged = 60
    /// The same for requests that failed.
    static let failuresLogged = 20
    /// Bytes of a client's user agent that are kept, in the list of sign-ins for instance: programs name themselves and their
    /// system. Clients may send any text.
    static let agent = 200
    /// Letters of it in such a line.
    static let agentLogged = 100
    /// Requests from the sync connections of one user that are processed at the same time: further ones wait.
    static let syncJobsOfOne = 64
    /// How many small frames a part of a request counts as: it takes more steps until it is read.
    static let framesOfPart = 4
    /// How long a message that is being sent may still take when its feed is ended.
    static let lastMessage = TimeAmount.seconds(1)
    /// Bytes of an answer that are written at once.
    static let answerPiece = 64 << 10
    /// Bytes of bodies on their way in, and of the unfinished messages of sync connections: of all, and of one user.
    /// Beyond it a request is answered with 503 and a connection closed with 4001.
    static let arrivingBytes = 256 << 20
    static let arrivingBytesOfOne = 128 << 20
    /// Bytes that wait to be sent to clients: of all, and of one user. Beyond it sync connections stay open, but each
    /// gets only some documents at a time: 64 KB, or one document. Forty tablets of one user that read slowly have 1.5
    /// MB each. Other requests are answered with 503: three documents of the greatest size can be read at the same time.
    /// An answer that is sent while it is made already has its status: if there is no room for a later piece, the
    /// connection is closed without the last chunk, so that the client knows that the answer is incomplete.
    static let sendingBytes = 256 << 20
    static let sendingBytesOfOne = 64 << 20
    /// Bytes that the processing of bodies may take at the same time; beyond it requests wait for each other.
    static let workingBytes = 512 << 20
    /// The estimated memory for a byte of a body, and for a value in it: measured with the worst cases.
    static let workOfByte = 4
    static let workOfValue = 48
    /// The work of the large bodies of one account that are read at the same time: of one with the most values that are
    /// allowed, or of some smaller ones. A single body may exceed it.
    static let readingOfOne = 64 << 20
    /// Work of a body from which on reading it keeps a thread busy for long: some hundredths of a second.
    static let longReading = 8 << 20
    /// Bytes on the disk of attachments on their way in, of all users and of one; beyond it 503. A phone that syncs has
    /// 32 MB of them, or those of one document. For a single attachment only the limit of its size counts.
    static let stagedBytes = 8 << 30
    static let stagedBytesOfOne = 2 << 30
    /// How long the rest of a body is read and discarded after its request is answered: most clients read only after
    /// they have sent all.
    static let restOfBody = TimeAmount.seconds(30)
    /// How long a write goes on for a client that sends no more. Most such clients are gone; a few wait for the answer.
    static let answerOfHalfClosed = TimeAmount.seconds(1)
    /// Documents, ids or revisions that one request may name.
    static let bulkRows = 100_000
    /// Bytes of an answer of many rows or parts from which on it is sent while it is made.
    static let wholeAnswer = 1 << 20
    /// Compressed bytes that are inflated at once; they may become a thousand times as many.
    static let inflatedAtOnce = 4 << 10
    /// Connections of the public port, if the process may have so many, at some 50 KB each; beyond it new ones wait in
    /// the system's queue. No account takes more than half of the connections that the others leave, so that other
    /// users can still connect.
    static let connections = 20_000
    /// Connections of one user who has signed in with them, sync clients mostly, at some 50 KB each: a depot whose tablets
    /// share a name has tens, a program that works for many people hundreds. Beyond it 503.
    static let connectionsOfUser = 2_000
    /// Connections of one address without a sign-in, or as a guest: behind a proxy these are all users who do not sync.
    /// Beyond it they are closed, with 503 where there is no TLS.
    static let connectionsOfAddress = 5_000
    /// The part of the port's connections for those that are refused and not closed yet: one in so many.
    static let refusedPart = 20
    /// Connections of each of the other two ports: people and programs that look after the gateway.
    static let connectionsOfAdministrators = 256
    /// How many of these may be without a request: more would keep out clients that have one.
    static let unfinishedOfAdministrators = 128
    /// How many of these one address may have, other than the machine's own.
    static let connectionsOfNeighbour = 64
    /// Open files that the process asks the system for, as the unit for systemd does.
    static let openFiles: UInt = 65_536
    /// Open files besides the connections of the public port: some thirty for each database, logs, and the other ports.
    static let filesBesides = 2_000
    /// Requests that are answered at the same time, waiting feeds among them: of all, of one user, and of one address
    /// without a sign-in. Beyond it 503. A waiting feed takes as much as a connection does.
    static let requestsInFlight = 20_000
    static let requestsOfUser = 2_000
    static let requestsOfAddress = 5_000
    /// How long a connection may stay silent between requests, or in the middle of one.
    static let silence = TimeAmount.seconds(60)
    /// Between two looks at the files of the certificate.
    static let certificateInterval = Duration.seconds(10)
    /// Seconds before its end from which on a certificate is warned of, each day.
    static let certificateWarning: Double = 30 * 24 * 3_600
    /// Between two such warnings: each day's log has one.
    static let certificateWarnings = Duration.seconds(24 * 3_600)
    /// How long a client may take to send the options of a feed over a WebSocket.
    static let feedOpening = Duration.seconds(60)
    /// How long a feed waits for a change if its client does not say, the most milliseconds that the client may say, and the
    /// limits of those between two heartbeats: as in Sync Gateway.
    static let feedTimeout = Duration.seconds(300)
    static let longestFeedTimeout: Int64 = 900_000
    static let feedHeartbeat: ClosedRange<Int64> = 25_000...900_000
    /// Bytes of the text with which a WebSocket is closed.
    static let closeReason = 123
    /// Rows of a list or a changes feed that are read at once; fewer where they come with large documents.
    static let feedPage = 500
    /// How long a command waits for the admin port: until it answers at all, and between two pieces of an answer.
    static let adminConnectTimeout = TimeAmount.seconds(5)
    static let adminSilence = TimeAmount.seconds(60)
    /// How long a command waits for another one that changes administrators, which hashes a password at most.
    static let administratorLock = Duration.seconds(30)
    /// Letters of a name that are compared with a mistyped one: names are short, and a longer text is no typing error.
    static let suggestedName = 64
    /// Bytes of a district's name: laptops accept no more.
    static let districtName = 64
    /// How often a command tries to change a user or a role that others change at the same time.
    static let adminAttempts = 20
    /// Bytes of a document's text that an answer has as a header: many clients accept at most 8 KiB of all headers.
    static let headerText = 1_000
    /// An attachment up to this many bytes is inside the document's JSON; larger ones follow as parts.
    static let inlineAttachment = 200
    /// Bytes of attachments that one answer has beside their documents: they are in memory together, some twice.
    static let attachmentsOfAnswer = 128 << 20
}

/// The limits of unfinished work, which tests make small.
package struct GatewayBounds: Sendable {
    /// Bytes in memory of bodies that arrive: of all, and of one user.
    package var arriving = GatewayServerLimits.arrivingBytes
    package var arrivingOfOne = GatewayServerLimits.arrivingBytesOfOne
    /// Bytes in memory that wait to be sent to clients: of all, and of one user.
    package var sending = GatewayServerLimits.sendingBytes
    package var sendingOfOne = GatewayServerLimits.sendingBytesOfOne
    /// Bytes that the processing of bodies may take.
    package var working = GatewayServerLimits.workingBytes
    /// Bytes on the disk of attachments that arrive: of all, and of one user.
    package var staged = GatewayServerLimits.stagedBytes
    package var stagedOfOne = GatewayServerLimits.stagedBytesOfOne
    /// Connections of the public port, of one user, and of one address without a sign-in.
    package var connectionsOfUser = GatewayServerLimits.connectionsOfUser
    package var connectionsOfAddress = GatewayServerLimits.connectionsOfAddress
    /// Connections of each other port, of one address, and those without a request.
    package var connectionsOfNeighbour = GatewayServerLimits.connectionsOfNeighbour
    package var unfinishedOfAdministrators = GatewayServerLimits.unfinishedOfAdministrators
    /// Requests in flight of one user, and of one address without a sign-in.
    package var requestsOfUser = GatewayServerLimits.requestsOfUser
    package var requestsOfAddress = GatewayServerLimits.requestsOfAddress
    /// How fast a body or a sync message has to arrive.
    package var pace = TransportLimits.arrivalPace
    /// How long a client may read nothing of its answer.
    package var readingLimit = TransportLimits.readingLimit

    package init() {}
}
