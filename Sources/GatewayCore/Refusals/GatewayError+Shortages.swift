import SyncFunction

/// A gateway without the room or the time, and requests that are given up.
extension GatewayError {
    package static let givenUp = GatewayError(
        503, reason: "The request was given up before it was done: its client has left, or the gateway is shutting down"
    )
    /// Of a request whose other documents have taken too much of the time for sync functions.
    package static let leftOut = GatewayError(503, reason: SyncFunctionOutcome.Rejection.leftOut.reason)
    package static func tooManyBytes(of thing: String) -> GatewayError {
        GatewayError(503, reason: "There are too many bytes of \(thing); try again later")
    }
    package static func tooManyBytesOfOne(of thing: String) -> GatewayError {
        GatewayError(503, reason: "One user has too many bytes of \(thing); try again later")
    }
    /// Of one sync client, which requests more of them than it reads.
    static let tooManyWaitingAttachments = GatewayError(503, reason: "Too many attachments wait to be sent")
    static let tooManyUnreadAnswers = GatewayError(
        503, reason: "Too many bytes of answers wait until the client reads them; try again later")
    package static let silentStorage = GatewayError(503, reason: "The gateway's storage did not answer; try again")
    package static let damagedDatabase = GatewayError(
        503, reason: "The gateway's database is damaged; its operator has to restore a backup")
    package static let diskFull = GatewayError(
        503, reason: "The gateway's disk is full; nothing was stored. Free some space and try again")
    package static func noRoomForLog(lacking bytes: Int) -> GatewayError {
        GatewayError(507, reason: "The disk is full, and lacks \(bytes) bytes for emptying the write-ahead log")
    }
    package static func noRoomToCompact(_ folder: String, needed: Int, left: Int) -> GatewayError {
        GatewayError(
            507,
            reason:
                "To make the database's file smaller, the gateway needs \(needed) bytes of the disk of \(folder) for a while, "
                + "and \(left) are left. The file keeps its size, and its freed space is used again. Free some space on "
                + "the disk and try again")
    }
    package static let volumeIsUsedUp = GatewayError(
        507,
        reason:
            "Within a day you have stored as much as the gateway's disk has left; other users need that. Try again tomorrow, "
            + "or ask an administrator for more space")
    package static let uploadsUseTheDiskUp = GatewayError(
        507,
        reason:
            "Your uploads and the data that you stored within a day are as much as the gateway's disk has left; other "
            + "users need that. Let your uploads end first, or ask an administrator for more space")
}
