import BLIPProtocol
import DocumentValues

/// Keeps a collection's checkpoint on both sides: the gateway's copy first, ours when it is acknowledged (§4.3).
struct Checkpointer: Sendable {
    private struct Save: Sendable {
        let checkpoint: Checkpoint
        /// The gateway's copy.
        let body: [UInt8]
        /// How often it was refused.
        var refusals = 0
    }

    private enum Saving: Sendable {
        case no
        case writing(Save)
        /// The gateway's copy has another revision than expected: ask for it.
        case asking(Save)
    }

    let index: Int
    let id: String
    /// The copy on this side; `nil` if there is none or it is to be ignored.
    private(set) var local: Checkpoint?
    /// The checkpoint that both sides have.
    private var saved = Checkpoint()
    /// The last checkpoint that could not be saved: it is not written again.
    private var unsavable: Checkpoint?
    /// The marks of the sessions that may have written the gateway's copy, according to the copy on this side.
    private var marks: [String]
    /// Of this session.
    private let mark: String
    private var revision: String?
    /// The gateway has answered with its copy, or that it has none: a copy is never overwritten unread.
    private(set) var isRemoteKnown = false
    private var saving = Saving.no
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

    /// Takes the gateway's copy; from then on the checkpoint may be saved.
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
        // A session that was interrupted before it saved has left its mark only on this side.
        if let known = copy?.marks.first, marks.contains(known) { marks = [known] }
        if start.doubtful > local.doubtful || local.isReset {
            // The doubt has to be saved before the gateway gets a new copy: after that, the copies on both sides would
            // agree.
            keep(start, &context)
        }
        return start
    }

    // MARK: - Saving

    func isDirty(_ current: Checkpoint) -> Bool { current != saved && current != unsavable }

    /// When the next save is due, if there is anything to save.
    func dueTime(_ current: Checkpoint) -> Instant? {
        guard isRemoteKnown, !isSaving, isDirty(current) else { return nil }
        return lastSave + ActiveLimits.checkpointInterval
    }

    /// Saves a changed checkpoint: `atOnce` before the session rests, otherwise only from time to time.
    mutating func save(_ current: Checkpoint, atOnce: Bool, _ context: inout ActiveContext) {
        guard let due = dueTime(current), atOnce || due <= context.now else { return }
        lastSave = context.now
        keepMark(&context)
        var marked = current
        marked.marks = [mark]
        write(Save(checkpoint: current, body: marked.json(at: context.now)), &context)
    }

    /// Saves this session's mark before the gateway gets a copy with it: if the session is interrupted between the two
    /// writes, the gateway's copy would otherwise look like another folder's. If no mark is known on this side, none is
    /// compared.
    private mutating func keepMark(_ context: inout ActiveContext) {
        guard let earlier = marks.first, earlier != mark else { return }
        marks = [mark, earlier]
        keep(saved, &context)
    }

    /// Messages are sent after all actions: so this checkpoint is stored before the gateway gets a copy that depends on
    /// it.
    private func keep(_ checkpoint: Checkpoint, _ context: inout ActiveContext) {
        var marked = checkpoint
        marked.marks = marks
        context.output.append(.saveLocalCheckpoint(collection: index, marked.localJSON(at: context.now)))
    }

    private mutating func write(_ save: Save, _ context: inout ActiveContext) {
        saving = .writing(save)
        let request = SetCheckpoint(
            collection: context.wireIndex(index), client: id, revision: revision, body: save.body
        ).request
        context.output.send(request, as: .setCheckpoint, collection: index)
    }

    mutating func saveAnswered(_ message: BLIPMessage, _ context: inout ActiveContext) {
        guard case .writing(let save) = saving else { return }
        revision = message.properties.nonEmpty(MessageProperty.rev)
        saved = save.checkpoint
        saving = .no
        marks = [mark]
        keep(saved, &context)
    }

    mutating func saveFailed(_ failure: SyncFailure, _ context: inout ActiveContext) {
        guard case .writing(var save) = saving else { return }
        save.refusals += 1
        switch (failure.domain, failure.code) {
        case _ where failure.isConflict && save.refusals <= ActiveLimits.checkpointAttempts:
            saving = .asking(save)
            ask(&context)
        case (.http, 404) where revision != nil:
            // The gateway's copy has expired since we got its revision.
            revision = nil
            write(save, &context)
        default:
            saving = .no
            unsavable = save.checkpoint
            // Transient failures and conflicts do not end the session: without the gateway's copy, the next session only has
            // to compare more. A gateway with a full disk can still be read, and after a conflict another replicator of this
            // database has saved its checkpoint.
            if !failure.isTransient && !failure.isConflict { context.fail(failure) }
        }
    }

    /// The answer to the question after a refused save; false if the question was the session's first one.
    mutating func revisionAnswered(_ revision: String?, _ context: inout ActiveContext) -> Bool {
        guard case .asking(let save) = saving else { return false }
        self.revision = revision
        write(save, &context)
        return true
    }

    /// The question failed; false if it was the session's first one.
    mutating func questionFailed(_ failure: SyncFailure, _ context: inout ActiveContext) -> Bool {
        guard case .asking(let save) = saving else { return false }
        saving = .no
        unsavable = save.checkpoint
        context.fail(failure)
        return true
    }
}
