import FieldModels
import FieldRecords

/// The day's work.
struct TodayCommand {
    let session: ShellSession

    func run() throws -> RecordGroups {
        let work = try TodaysLine(session: session).work()
        var groups = try TodayLayout(
            of: work, in: session.field(), name: session.recordPlaceholder, clock: session.environment.clock
        ).groups { try SitelessNotes(session: session).lines(about: work.siteless) }
        try see(returned: work.returned)
        groups.notes += session.recoverUnfinishedTexts()
        return try ConflictMarks(session: session).marking(session.numbered(groups))
    }

    /// The list has said that they are returned, and why: who goes on with one of them knows that.
    private func see(returned inspections: [Inspection]) throws {
        let field = try session.field()
        for inspection in inspections {
            let reference = RecordReference(.inspection, id: inspection.id)
            guard let known = session.shown.records[reference] else { continue }
            let present = try RecordSnapshot(of: reference, in: field)
            if let seen = known.seeing(returned: present) { session.shown.records[reference] = seen }
        }
    }
}
