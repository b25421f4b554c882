import Foundation

/// How long a sync and the sync service wait for what, and how much of it they keep.
package enum ServiceLimits {
    /// After something that the gateway refused for good, it is asked again after this long, and each time after twice
    /// as long: often enough for an account that was mended there, too seldom to be taken for an attack.
    static let firstRecheck = Duration.seconds(60)
    static let lastRecheck = Duration.seconds(3_600)
    /// How often it looks at a folder of which the system gives no notice: what waits for it should not seem hung.
    static let folderLook = TimeInterval(1)
    /// A network comes back in steps.
    static let networkSettles = Duration.seconds(2)
    /// How soon it looks again whether another program's sync has ended.
    static let busyFolder = Duration.seconds(2)
    /// A replicator that is asked to stop ends within this time, or is left behind.
    static let stopping = TimeInterval(10)
    /// A shutdown that takes longer than all this is broken off.
    package static let shutdown = Duration.seconds(15)
    /// A mobile connection that died unnoticed is found out within this time, and a pong's.
    static let heartbeat = TimeInterval(60)
    /// Progress is written down at most this often; every other change at once.
    static let progressInterval = Duration.seconds(1)
    /// Reports kept for shells that wait beside the service, and records of each list that one of them names.
    static let news = 10
    static let namedPerNews = 5
    /// Bytes of one of them: fewer names where their texts are long.
    static let newsSize = 4 * 1024
    /// Answers kept for those who asked.
    static let answers = 8
    /// Records of each list that an answer names; fewer where their texts are long.
    static let namedPerAnswer = 50
    /// Bytes of an answer: all of them, the reports and the state are within `notesFile`.
    static let answerSize = 24 * 1024
    /// Bytes of a reason why something failed: a gateway may say whatever it likes.
    static let reason = 2 * 1024
    /// Seconds without any sign of life after which a command that asked the service gives up.
    static let answerTimeout = 60
    /// How long it tries to take a lock at which others may just be looking.
    static let lockTimeout = TimeInterval(0.5)
    /// How long it waits to write its notes, while another program writes some.
    static let notesTimeout = TimeInterval(2)
    /// Bytes of what a service keeps and of what it is asked.
    static let notesFile = 256 * 1024
    /// Seconds without an answer after which a sync says that it still tries: a program that says nothing looks hung.
    static let delayNotice = 2.0
    /// Tries of a one-shot sync to reach the gateway, so that a worker soon knows.
    static let syncAttempts: UInt = 3
    /// The longest wait between two tries of a continuous sync: a network that comes back is used within this time.
    static let syncWait = 5.0
    /// Seconds that this laptop's clock may differ from the gateway's: a wrong time zone is within a day, and answers take
    /// no day.
    static let clockDifference: Int64 = 86_400

    /// - Parameter refusals: how often in a row it was refused before.
    static func recheck(after refusals: Int) -> Duration {
        min(firstRecheck * (1 << min(refusals, 10)), lastRecheck)
    }
}
