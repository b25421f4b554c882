/// One round of a database's housekeeping: its steps one after the other, whatever became of those before.
struct Housekeeping {
    /// When the next document ends, in seconds since 1970.
    var nextExpiry: Int64?
    /// Those are tried again in the next round.
    private(set) var failures: [(step: String, error: any Error)] = []

    /// - Parameter step: for the log, such as `expiry of documents`.
    /// - Returns: `nil` where the step failed.
    @discardableResult
    mutating func take<Value>(_ step: String, by work: () async throws -> Value) async -> Value? {
        do {
            return try await work()
        } catch {
            failures.append((step, error))
            return nil
        }
    }
}
