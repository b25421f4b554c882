import FieldRecords
import FieldSync

/// For the greeting of a shell: `Today: 3 due today, 2 overdue, …`.
struct TodaysLine {
    let session: ShellSession

    /// `nil` if there are no tasks.
    func text() throws -> String? {
        try work().line.map { "Today: \($0). See it with: today" }
    }

    func work() throws -> TodaysWork {
        let conflicts = try OpenConflicts(session: session).all().count
        var work = try session.field().work.today(
            of: session.settings().user, on: session.environment.today(), conflicts: conflicts)
        work.unsent = try unsentByHand()
        return work
    }

    /// Records that are sent only when the user types `sync`. A service sends by itself, and the prompt says when it
    /// cannot.
    private func unsentByHand() throws -> Int {
        if case .running = try session.syncStatus().service { return 0 }
        return try WaitingRecords(field: session.field(), settings: session.settings()).unsent()
    }
}
