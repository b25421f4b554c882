import DocumentValues
import SyncFunction
import Synchronization

/// The activity of a database since it was opened, for the metrics. One call can count many events.
package final class ActivityCounts: Sendable {
    package struct Collection: Sendable, Hashable {
        package var writes = 0
        /// Of the bodies, without attachments.
        package var writtenBytes = 0
        /// How many of the writes were deletions.
        package var tombstones = 0
        /// Documents that a resync has read, and those that it has changed.
        package var resyncedDocuments = 0
        package var resyncChanges = 0
        package var reads = 0
        package var readBytes = 0
        package var function = SyncFunctionCounts()
    }

    package struct Values: Sendable, Hashable {
        package var collections: [CollectionName: Collection] = [:]
        package var attachmentsStored = 0
        package var attachmentBytesStored = 0
        package var attachmentsSent = 0
        package var attachmentBytesSent = 0
        /// Documents that were sent by REST.
        package var restReads = 0
        /// Lists of all documents that were requested on the public port.
        package var publicLists = 0
        package var sync = SyncCounts()

        package func counts(of collection: CollectionName) -> Collection { collections[collection] ?? Collection() }

        /// Of all collections.
        package var total: Collection {
            collections.values.reduce(into: Collection()) { total, one in
                total.writes += one.writes
                total.writtenBytes += one.writtenBytes
                total.tombstones += one.tombstones
                total.resyncedDocuments += one.resyncedDocuments
                total.resyncChanges += one.resyncChanges
                total.reads += one.reads
                total.readBytes += one.readBytes
                total.function.add(one.function)
            }
        }
    }

    private let counts = Mutex(Values())

    package var values: Values { counts.withLock { $0 } }

    func add(_ change: (inout Values) -> Void) { counts.withLock { change(&$0) } }

    func add(to collection: CollectionName, _ change: (inout Collection) -> Void) {
        counts.withLock { change(&$0.collections[collection, default: Collection()]) }
    }

    /// Counts a document that was sent by REST.
    package func countRead(_ document: DocumentRevision, in collection: CollectionName) {
        add { values in
            values.restReads += 1
            values.collections[collection, default: Collection()].reads += 1
            values.collections[collection, default: Collection()].readBytes += document.body.count
        }
    }

    package func countPublicList() { add { $0.publicLists += 1 } }

    /// Counts an attachment that was sent, or a part of one.
    package func countAttachment(bytes: Int) {
        add { values in
            values.attachmentsSent += 1
            values.attachmentBytesSent += bytes
        }
    }
}

/// The actions of clients at the sync endpoint.
package struct SyncCounts: Sendable, Hashable {
    /// Revisions that were proposed before they were pushed.
    package var proposed = 0
    package var pushed = 0
    package var refused = 0
    /// Bytes of the messages with both; for differences, their own bytes.
    package var receivedBytes = 0
    /// Revisions that were sent to clients, including those that only report a removal.
    package var sent = 0
    package var sentBytes = 0
    /// Revisions that clients requested and could not get.
    package var unavailable = 0
    package var continuousFeeds = Feeds()
    package var oneShotFeeds = Feeds()
    /// Continuous feeds that wait for news.
    package var waiting = 0
    /// How often a continuous feed began to wait.
    package var waits = 0
    /// Feeds that began at the beginning.
    package var feedsFromStart = 0

    package struct Feeds: Sendable, Hashable {
        package var active = 0
        package var total = 0
    }
}

/// The results of a sync function's calls.
package struct SyncFunctionCounts: Sendable, Hashable {
    package var calls = 0
    /// Nanoseconds of waiting for it; calls that were made together count once.
    package var time = 0
    /// Documents that it refused, also by `require…`.
    package var refusals = 0
    /// Documents that `require…` refused.
    package var accessRefusals = 0
    package var exceptions = 0

    mutating func add(_ other: SyncFunctionCounts) {
        calls += other.calls
        time += other.time
        refusals += other.refusals
        accessRefusals += other.accessRefusals
        exceptions += other.exceptions
    }

    mutating func add(_ outcomes: [SyncFunctionOutcome], time: Duration) {
        calls += outcomes.count
        self.time += Int(time / .nanoseconds(1))
        for rejection in outcomes.lazy.compactMap(\.rejection) {
            switch rejection.cause {
            case .thrown: refusals += 1
            case .access:
                refusals += 1
                accessRefusals += 1
            case .exception: exceptions += 1
            case .unusable: break
            }
        }
    }
}
