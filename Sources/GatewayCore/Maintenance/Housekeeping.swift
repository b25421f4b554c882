/// One round of a database's housekeeping: its steps one after the other, even if earlier ones have failed.
struct Housekeeping {
    /// When the next document expires, in seconds since 1970.
    var nextExpiry: Int64?
    /// The failed steps, which the next round tries again.
    private(set) var failures: [(step: String, error: any Error)] = []

    /// - Parameter step: for the log, such as `expiry of documents`.
    /// - Returns: `nil` if the step failed.
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
