import FieldRecords
import FieldSync

/// For the greeting of a shell: `Today: 3 due today, 2 overdue, …`.
extension ShellSession {
    /// `nil` if there are no tasks.
    func todaysLine() throws -> String? {
        try todaysWork().line.map { "Today: \($0). See it with: today" }
    }

    func todaysWork() throws -> TodaysWork {
        var work = try field().work.today(
            of: settings().user, on: environment.today(), conflicts: conflicts().count)
        work.unsent = try unsentByHand()
        return work
    }

    /// Records that are sent only when the user types `sync`. A service sends by itself, and the prompt says when it
    /// cannot.
    private func unsentByHand() throws -> Int {
        if case .running = try syncStatus().service { return 0 }
        return try WaitingRecords(field: field(), settings: settings()).unsent()
    }
}
