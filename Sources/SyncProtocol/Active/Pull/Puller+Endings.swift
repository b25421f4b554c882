import DocumentValues

/// The ends of rows and revisions: each is done with in one way, wherever it has come to.
extension Puller {
    /// A row of the feed, and the revision that came for it.
    struct Ended: Sendable {
        var sequence: String
        var documentID: String
        var isDeleted = false
        /// The request to answer, if the revision came with one.
        var replyTo: UInt32?
    }

    enum Ending: Sendable {
        /// The revision is stored, and reported.
        case stored
        /// There is nothing to store, or nothing to report.
        case dismissed
        /// It is given up: for good, or if the failure may pass, until another session.
        case failed(SyncFailure)
        /// It is given up until another session.
        case postponed(SyncFailure)
    }

    mutating func end(_ row: Ended, as ending: Ending, _ context: inout ActiveContext) {
        crossing.noteHandled(row.documentID)
        switch ending {
        case .stored:
            report(row, failure: nil, &context)
            complete(row, &context)
        case .dismissed: complete(row, &context)
        case .failed(let failure):
            giveUp(row, for: failure, &context)
            context.output.refuse(row.replyTo, with: failure.reply)
        case .postponed(let failure):
            report(row, failure: failure, &context)
            context.output.refuse(row.replyTo, with: failure.reply)
        }
    }

    mutating func end(_ arrival: Arrival, as ending: Ending, _ context: inout ActiveContext) {
        let row = Ended(
            sequence: arrival.sequence, documentID: arrival.documentID, isDeleted: arrival.revision.isDeleted,
            replyTo: arrival.replyTo)
        context.window.arrived()
        end(row, as: ending, &context)
    }

    /// The sequence is done, and the gateway gets its answer.
    private mutating func complete(_ row: Ended, _ context: inout ActiveContext) {
        sequences.complete(row.sequence)
        context.output.respond(to: row.replyTo)
    }

    /// The sequence will not bring a document: the application gets an event. The sequence is done, or if the failure
    /// may pass, it stays open for another session.
    mutating func giveUp(_ row: Ended, for failure: SyncFailure, _ context: inout ActiveContext) {
        report(row, failure: failure, &context)
        if !failure.isTransient && !failure.isOfRoom { sequences.complete(row.sequence) }
    }

    private func report(_ row: Ended, failure: SyncFailure?, _ context: inout ActiveContext) {
        context.events.append(
            DocumentEvent(
                collection: index, documentID: row.documentID, isPush: false, isDeleted: row.isDeleted,
                failure: failure))
    }

    static func badRevision(_ text: String) -> SyncFailure {
        SyncFailure(
            .liteCore, code: SyncFailure.badRevisionCode,
            message: "'\(text.shortened(toScalars: 60).withControlsEscaped)' is not a revision id")
    }
}
