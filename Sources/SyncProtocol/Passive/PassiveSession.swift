import BLIPProtocol
import DocumentValues
import NIOCore

/// The gateway's side of one connection, without socket, store or clock.
///
/// The driver hands in what the connection received and the results of the work it was asked to do, and carries out
/// the actions it gets back, in order. A session is never restarted.
package struct PassiveSession {
    /// Which collections the client's indexes mean.
    enum Naming: Equatable {
        /// Nothing was asked yet.
        case undecided
        /// The client names none: it means the default collection.
        case byDefault
        case resolving
        /// Which of the names exist.
        case byIndex([Bool])
    }

    let version: SyncSubprotocol
    /// Bytes of one attachment that a client may push.
    let attachmentBytes: Int
    private let hasDefaultCollection: Bool
    /// Revisions may be taken, and sent to a client that wants it, as differences.
    let usesDeltas: Bool
    /// Revisions may be announced by `changes`, whatever they are beside.
    let allowsConflicts: Bool
    var naming = Naming.undecided
    var jobs: [JobID: PassiveJob] = [:]
    private var isPaused = false
    private var lastNumber: UInt64 = 0

    // What this step leads to
    var actions: [PassiveAction] = []
    var outgoing: [BLIPOutgoing] = []

    // Pull
    var feeds: [Int: PassiveFeed] = [:]
    var abandonedFeeds = 0
    var openChanges: [UInt64: OpenChanges] = [:]
    /// The batch and the size of each `rev` that is not on its way yet, by tag.
    var unsent: [UInt64: (changes: UInt64, bytes: Int)] = [:]
    var unsentBytes = 0
    /// What the loads come to that the driver is at work on, about.
    var loadingBytes = 0
    /// Bytes that may be loaded beside those that are held already. A driver that serves many clients sets it before each
    /// step, by what all of them and this one's user leave unread.
    package var roomToLoad = Int.max
    var pace = LoadSizeEstimator()
    var served = ServedAttachments()
    /// The client has said that it understands differences.
    var clientTakesDeltas = false
    /// What was sent as a difference and is not answered, by tag.
    var openDeltas: [UInt64: SentDelta] = [:]

    // Push
    var pushes: [Int: PassivePush] = [:]
    /// Differences that wait for their sources, and those whose sources are being read.
    var deltas = PushedDeltas()
    /// Bytes of what waits for the store, differences included.
    var storeBytes = 0
    var fetches: [UInt64: AttachmentFetch] = [:]
    var fetchQueue = CircularBuffer<AttachmentFetch>()
    var attachmentRequests: [UInt64: AttachmentRequest] = [:]
    /// Bytes of revisions that wait for attachments, what has come of these included.
    var waitingBytes = 0

    /// - Parameters:
    ///   - hasDefaultCollection: whether clients that name no collection can be served.
    ///   - usesDeltas: whether revisions may travel as differences, either way.
    ///   - allowsConflicts: whether documents may have several live leaves.
    ///   - attachmentBytes: of one attachment that a client may push.
    package init(
        version: SyncSubprotocol, hasDefaultCollection: Bool, usesDeltas: Bool = false, allowsConflicts: Bool = false,
        attachmentBytes: Int = PassiveLimits.attachmentBytes
    ) {
        self.version = version
        self.attachmentBytes = attachmentBytes
        self.hasDefaultCollection = hasDefaultCollection
        self.usesDeltas = usesDeltas
        self.allowsConflicts = allowsConflicts
    }

    /// What the connection received.
    package mutating func receive(_ incoming: [BLIPIncoming]) -> [PassiveAction] {
        for event in incoming {
            switch event {
            case .request(let message): receiveRequest(message)
            case .response(let tag, let message): receiveResponse(tag, message)
            case .failure(let tag, let error): receiveFailure(tag, error)
            case .responsePart(let tag, let bytes, let isLast): receiveAttachmentPart(tag, bytes, isLast: isLast)
            case .sent(let tag): revisionSent(tag)
            }
        }
        return finish()
    }

    /// The result of a job.
    package mutating func complete(_ id: JobID, _ result: PassiveResult) -> [PassiveAction] {
        guard let job = jobs.removeValue(forKey: id) else { return [] }
        complete(job, result)
        return finish()
    }

    /// Bytes of pushed revisions, and of attachments, that wait here.
    package var heldBytes: Int { storeBytes + waitingBytes }

    /// Bytes of revisions that are loaded, or about to be, and not on their way to the client yet.
    package var bytesToSend: Int { unsentBytes + loadingBytes }

    // MARK: Parts

    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    mutating func job(_ job: PassiveJob) -> JobID {
        let id = JobID(nextNumber())
        jobs[id] = job
        return id
    }

    mutating func respond(
        _ number: UInt32?, _ properties: BLIPProperties = [:], body: [UInt8] = [], isCompressed: Bool = false
    ) {
        guard let number else { return }
        outgoing.append(.response(to: number, properties: properties, body: .bytes(body), isCompressed: isCompressed))
    }

    mutating func refuse(_ number: UInt32?, _ error: BLIPErrorReply) {
        guard let number else { return }
        outgoing.append(.failure(to: number, error))
    }

    /// The actions of this step: new work first decided on, messages in one batch.
    private mutating func finish() -> [PassiveAction] {
        startPatches()
        startStores()
        startFetches()
        startLoads()
        runFeeds()
        adjustReading()
        if !outgoing.isEmpty {
            actions.append(.send(outgoing))
            outgoing = []
        }
        defer { actions = [] }
        return actions
    }

    /// Only work that ends without anything being read may stop the reading.
    private mutating func adjustReading() {
        let busy = jobs.values.reduce(0) { $0 + ($1.endsByItself ? 1 : 0) }
        if !isPaused, storeBytes > PassiveLimits.storeBytes || busy > PassiveLimits.jobs {
            isPaused = true
            actions.append(.pauseReading)
        } else if isPaused, storeBytes <= PassiveLimits.storeBytesToResume, busy <= PassiveLimits.jobs / 2 {
            isPaused = false
            actions.append(.resumeReading)
        }
    }

    // MARK: Collections

    /// The collection that a request means, by the rules of §4.1.
    mutating func collection(of message: BLIPMessage) throws(BLIPErrorReply) -> Int {
        let text = message.properties.nonEmpty(MessageProperty.collection)
        switch naming {
        case .undecided, .byDefault, .resolving:
            guard text == nil, naming != .resolving else {
                throw .badRequest("Passing collection requires calling getCollections first")
            }
            guard hasDefaultCollection else {
                throw .badRequest(
                    "Collection property not specified and default collection is not configured for this database")
            }
            naming = .byDefault
            return 0
        case .byIndex(let exist):
            guard let text else {
                throw .badRequest("GetCollections already occurred, subsequent messages need a Collection property")
            }
            guard let index = Int(text), exist.indices.contains(index), exist[index] else {
                throw .badRequest("Collection property needs to be a valid index of getCollections")
            }
            return index
        }
    }

    /// What the `collection` property of our own requests says.
    func wireIndex(_ collection: Int) -> Int? {
        switch naming {
        case .undecided, .byDefault, .resolving: nil
        case .byIndex: collection
        }
    }
}

/// What a session waits for.
enum PassiveJob {
    case collections(number: UInt32?)
    case loadCheckpoint(number: UInt32?)
    case saveCheckpoint(number: UInt32?)
    case openFeed(number: UInt32?, collection: Int, feed: JobID)
    case nextRows(collection: Int, feed: JobID)
    case announce(number: UInt32?)
    case propose(number: UInt32?, includesRevision: Bool)
    case loadSources(collection: Int)
    case store(collection: Int)
    case loadRevisions(changes: UInt64)
    case getRevision(number: UInt32?, ifNotRev: String?)
    /// Bytes of the answer to an attachment request.
    case keepAttachment(tag: UInt64, bytes: Int)

    /// False for what may wait for other people's writes.
    var endsByItself: Bool {
        switch self {
        case .nextRows: false
        case .collections, .loadCheckpoint, .saveCheckpoint, .openFeed, .announce, .propose, .loadSources, .store,
            .loadRevisions, .getRevision, .keepAttachment:
            true
        }
    }
}
