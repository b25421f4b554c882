import BLIPProtocol
import DocumentValues

/// The gateway's side of one connection, without socket, store or clock.
///
/// The driver hands in what the connection received and the results of the work it was asked to do, and carries out
/// the actions it gets back, in order. A session is never restarted.
public struct PassiveSession {
    let version: SyncSubprotocol
    /// Whether the database has a default collection, for clients that name none.
    private let hasDefaultCollection: Bool
    /// Which collections the client's indexes mean; `nil` before `getCollections`.
    var named: [Bool]?
    var feeds: [Int: PassiveFeed] = [:]
    var pushes: [Int: PassivePush] = [:]
    var openChanges: [UInt64: OpenChanges] = [:]
    var openChangesOfRev: [UInt64: UInt64] = [:]
    var served = ServedAttachments()
    var jobs: [JobID: PassiveJob] = [:]
    var attachmentRequests: [UInt64: AttachmentRequest] = [:]
    var partial: [UInt64: [UInt8]] = [:]
    var waitingForAttachments: [UInt64: (collection: Int, pushed: PassivePush.Pushed)] = [:]
    var queuedBytes = 0
    var isPaused = false
    var actions: [PassiveAction] = []
    var outgoing: [BLIPOutgoing] = []
    private var lastNumber: UInt64 = 0

    public init(version: SyncSubprotocol, hasDefaultCollection: Bool) {
        self.version = version
        self.hasDefaultCollection = hasDefaultCollection
    }

    /// What the connection received.
    public mutating func receive(_ incoming: [BLIPIncoming]) -> [PassiveAction] {
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
    public mutating func complete(_ id: JobID, _ result: PassiveResult) -> [PassiveAction] {
        guard let job = jobs.removeValue(forKey: id) else { return [] }
        complete(job, result)
        return finish()
    }

    /// Rows of a feed, an answer to `nextRows`.
    public mutating func rows(_ rows: [ChangeRow], isCaughtUp: Bool, collection: Int) -> [PassiveAction] {
        guard var feed = feeds[collection] else { return [] }
        feed.isAskedForRows = false
        feed.waiting += rows
        feed.isCaughtUp = isCaughtUp
        feeds[collection] = feed
        return finish()
    }

    /// The feed of a collection broke down: the client is made to come back.
    public mutating func feedFailed(collection: Int) -> [PassiveAction] {
        feeds[collection] = nil
        actions.append(.close(code: 4001, reason: "The changes feed failed"))
        return finish()
    }

    // MARK: - Parts

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
        startStores()
        announceRows()
        adjustReading()
        if !outgoing.isEmpty {
            actions.append(.send(outgoing))
            outgoing = []
        }
        defer { actions = [] }
        return actions
    }

    private mutating func adjustReading() {
        if !isPaused, queuedBytes > PassiveLimits.queuedBytes {
            isPaused = true
            actions.append(.pauseReading)
        } else if isPaused, queuedBytes <= PassiveLimits.queuedBytesToResume {
            isPaused = false
            actions.append(.resumeReading)
        }
    }

    /// The collection that a request means, by the rules of §4.1.
    func collection(of message: BLIPMessage) throws(BLIPErrorReply) -> Int {
        let text = message.properties.nonEmpty(MessageProperty.collection)
        guard let named else {
            guard text == nil else {
                throw .badRequest("Passing collection requires calling getCollections first")
            }
            guard hasDefaultCollection else {
                throw .badRequest(
                    "Collection property not specified and default collection is not configured for this database")
            }
            return 0
        }
        guard let text else {
            throw .badRequest("GetCollections already occurred, subsequent messages need a Collection property")
        }
        guard let index = Int(text), named.indices.contains(index), named[index] else {
            throw .badRequest("Collection property needs to be a valid index of getCollections")
        }
        return index
    }

    /// What the `collection` property of our own requests says.
    func wireIndex(_ collection: Int) -> Int? { named == nil ? nil : collection }
}

/// What a session waits for.
enum PassiveJob {
    case collections(number: UInt32?)
    case loadCheckpoint(number: UInt32?)
    case saveCheckpoint(number: UInt32?)
    case openFeed(number: UInt32?, collection: Int)
    case propose(number: UInt32?, includesRevision: Bool)
    case store(collection: Int)
    case loadRevisions(changes: UInt64)
    case getRevision(number: UInt32?, RevisionWish, ifNotRev: String?)
}

/// A question to the client about an attachment.
struct AttachmentRequest {
    let pushed: UInt64
    let need: AttachmentNeed
}
