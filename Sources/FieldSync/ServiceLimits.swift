import Foundation

/// The waits of a sync and of the sync service, and how much they keep.
package enum ServiceLimits {
    /// The time until the next try after the gateway refused for good; it doubles with each refusal. That is soon
    /// enough after an account was repaired there, and not so often that it looks like an attack.
    static let firstRecheck = Duration.seconds(60)
    static let lastRecheck = Duration.seconds(3_600)
    /// How often it polls a folder for which the system sends no notices: a program that waits for it should not seem
    /// hung.
    static let folderLook = TimeInterval(1)
    /// A network comes back in steps, so the next try waits so long after the last one.
    static let networkSettles = Duration.seconds(2)
    /// How soon it looks again whether another program's sync has ended.
    static let busyFolder = Duration.seconds(2)
    /// A replicator that does not stop within this time is abandoned.
    static let stopping = TimeInterval(10)
    /// A shutdown that takes longer than this is cut short.
    package static let shutdown = Duration.seconds(15)
    /// A mobile connection that died unnoticed is found within this time plus that of a pong.
    static let heartbeat = TimeInterval(60)
    /// Progress is noted at most this often; every other change at once.
    static let progressInterval = Duration.seconds(1)
    /// Reports kept for shells that wait beside the service, and records of each list that one of them names.
    static let news = 10
    static let namedPerNews = 5
    /// Bytes of one report: it has fewer names if their texts are long.
    static let newsSize = 4 * 1024
    /// Answers that are kept.
    static let answers = 8
    /// Records of each list that an answer names; fewer if their texts are long.
    static let namedPerAnswer = 50
    /// Bytes of an answer: all of them, the reports and the state are within `notesFile`.
    static let answerSize = 24 * 1024
    /// Bytes of a reason why something failed: a gateway may send any text.
    static let reason = 2 * 1024
    /// Seconds without any sign of life after which a command that asked the service gives up.
    static let answerTimeout = 60
    /// How long it tries to take a lock that other processes may hold for a moment to check it.
    static let lockTimeout = TimeInterval(0.5)
    /// How long it waits to write its notes, while another program writes some.
    static let notesTimeout = TimeInterval(2)
    /// Bytes of the notes, and of a request.
    static let notesFile = 256 * 1024
    /// Seconds without an answer after which a sync says that it still tries: a silent program looks hung.
    static let delayNotice = 2.0
    /// Tries of a one-shot sync to reach the gateway, so that a worker soon knows.
    static let syncAttempts: UInt = 3
    /// The longest wait between two tries of a continuous sync: a network that comes back is used within this time.
    static let syncWait = 5.0
    /// Seconds that this laptop's clock may differ from the gateway's: the error of a wrong time zone is less than a day,
    /// and answers take less than that.
    static let clockDifference: Int64 = 86_400

    /// Records whose photos one connection fetches: with as many its beginning costs little, and an interruption loses little.
    static let photoRecords = 50
    /// The same while the speed of the link is not known yet: a photo or two.
    static let firstPhotoRecords = 2
    /// Bytes of photos after which the speed of a link is known: a connection's beginning counts little then.
    static let measuredBytes: UInt64 = 128 << 10
    /// Bytes a second from which on a link is good enough for photos: a photo of 2 MB within 20 seconds.
    package static let goodLink: UInt64 = 100 << 10

    /// - Parameter refusals: how many refusals in a row there were before.
    static func recheck(after refusals: Int) -> Duration {
        min(firstRecheck * (1 << min(refusals, 10)), lastRecheck)
    }
}
