import BLIPProtocol
import DocumentValues

/// Keeps a collection's checkpoint on both sides: the gateway's copy first, ours when it is acknowledged (§4.3).
struct Checkpointer: Sendable {
    private enum Saving: Sendable {
        case no
        case writing(Checkpoint, body: [UInt8])
        /// The gateway's copy has another revision than we thought.
        case asking(Checkpoint, body: [UInt8])
    }

    let index: Int
    let id: String
    /// What lies here; `nil` when there is nothing or it is to be ignored.
    private(set) var local: Checkpoint?
    /// What both sides have.
    private var saved = Checkpoint()
    /// Of the sessions that may have written what the gateway has, as the copy here knows them.
    private var marks: [String]
    /// Of this session.
    private let mark: String
    private var revision: String?
    /// The gateway's copy, or that there is none, is known: it is never overwritten unseen.
    private(set) var isRemoteKnown = false
    private var saving = Saving.no
    private var attempts = 0
    private var lastSave: Instant = 0

    init(index: Int, configuration: ActiveConfiguration.Collection, mark: String) {
        self.index = index
        self.mark = mark
        id = configuration.checkpointID
        let local = configuration.localCheckpoint.flatMap(Checkpoint.init(parsing:))
        self.local = local
        marks = local?.marks ?? []
    }

    var isSaving: Bool {
        switch saving {
        case .no: false
        case .writing, .asking: true
        }
    }

    // MARK: - Loading

    mutating func ask(_ context: inout ActiveContext) {
        let request = GetCheckpoint(collection: context.wireIndex(index), client: id).request
        context.output.send(request, as: .getCheckpoint, collection: index)
    }

    /// What the gateway has; from here on the checkpoint may be saved.
    ///
    /// - Returns: where to start.
    mutating func reconcile(
        with server: JSONObject?, revision: String?, _ context: inout ActiveContext
    ) -> Checkpoint {
        self.revision = revision
        isRemoteKnown = true
        guard let local else { return Checkpoint() }
        let copy = server.map { Checkpoint($0) }
        let start = local.reconciled(with: copy)
        saved = start
        // A session that was cut off before it saved has left its mark here, and none there.
        if let known = copy?.marks.first, marks.contains(known) { marks = [known] }
        if start.doubtful > local.doubtful || local.isReset {
            // Before the gateway gets a copy that would look as if both sides had always been of one mind.
            keep(start, &context)
        }
        return start
    }

    // MARK: - Saving

    func isDirty(_ current: Checkpoint) -> Bool { current != saved }

    /// When the next save is due, if there is anything to save.
    func dueTime(_ current: Checkpoint) -> Instant? {
        guard isRemoteKnown, !isSaving, isDirty(current) else { return nil }
        return lastSave + ActiveLimits.checkpointInterval
    }

    /// Saves what is not saved yet; `atOnce` before a rest, otherwise only now and then.
    mutating func save(_ current: Checkpoint, atOnce: Bool, _ context: inout ActiveContext) {
        guard let due = dueTime(current), atOnce || due <= context.now else { return }
        lastSave = context.now
        attempts = 0
        keepMark(&context)
        var marked = current
        marked.marks = [mark]
        write(current, body: marked.json(at: context.now), &context)
    }

    /// Before the gateway gets a copy with a mark that is not known here: a session that is cut off between the two writes
    /// would leave one that looks like another folder's. Where no mark is known here, none is compared.
    private mutating func keepMark(_ context: inout ActiveContext) {
        guard let earlier = marks.first, earlier != mark else { return }
        marks = [mark, earlier]
        keep(saved, &context)
    }

    /// Messages go last: what is to be kept is stored before the gateway gets what relies on it.
    private func keep(_ checkpoint: Checkpoint, _ context: inout ActiveContext) {
        var marked = checkpoint
        marked.marks = marks
        context.output.append(.saveLocalCheckpoint(collection: index, marked.localJSON(at: context.now)))
    }

    private mutating func write(_ checkpoint: Checkpoint, body: [UInt8], _ context: inout ActiveContext) {
        saving = .writing(checkpoint, body: body)
        let request = SetCheckpoint(
            collection: context.wireIndex(index), client: id, revision: revision, body: body
        ).request
        context.output.send(request, as: .setCheckpoint, collection: index)
    }

    mutating func saveAnswered(_ message: BLIPMessage, _ context: inout ActiveContext) {
        guard case .writing(let checkpoint, _) = saving else { return }
        revision = message.properties.nonEmpty(MessageProperty.rev)
        saved = checkpoint
        saving = .no
        marks = [mark]
        keep(checkpoint, &context)
    }

    mutating func saveFailed(_ failure: SyncFailure, _ context: inout ActiveContext) {
        guard case .writing(let checkpoint, let body) = saving else { return }
        attempts += 1
        switch (failure.domain, failure.code) {
        case _ where failure.isConflict && attempts <= ActiveLimits.checkpointAttempts:
            saving = .asking(checkpoint, body: body)
            ask(&context)
        case (.http, 404) where revision != nil:
            // The gateway's copy expired while we held its revision.
            revision = nil
            write(checkpoint, body: body, &context)
        default:
            saving = .no
            // Not written again before something new has happened.
            saved = checkpoint
            // That the gateway does not remember how far we are costs a comparison. One whose disk is full can still be read,
            // and where several replicators of this database save theirs all the time, others do so.
            if !failure.isTransient && !failure.isConflict { context.fail(failure) }
        }
    }

    /// The answer to a question that a refused save led to; false when it was the first question of the session.
    mutating func revisionAnswered(_ revision: String?, _ context: inout ActiveContext) -> Bool {
        guard case .asking(let checkpoint, let body) = saving else { return false }
        self.revision = revision
        write(checkpoint, body: body, &context)
        return true
    }

    /// The question failed; false when it was the first question of the session.
    mutating func questionFailed(_ failure: SyncFailure, _ context: inout ActiveContext) -> Bool {
        guard case .asking(let checkpoint, _) = saving else { return false }
        saving = .no
        saved = checkpoint
        context.fail(failure)
        return true
    }
}
