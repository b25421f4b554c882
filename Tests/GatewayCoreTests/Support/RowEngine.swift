import Testing

@testable import GatewayCore

/// Rows of one engine, as an argument of the suites that need no more of a store than these. A new engine can run the suite of
/// each kind as soon as it has that kind: its file adds a value to the suite's `engines`.
struct RowEngine<Rows>: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Runs a body in a transaction of an empty store.
    let run: @Sendable (_ body: @Sendable @escaping (Rows) async throws -> Void) async throws -> Void

    /// The engines that have whole stores.
    static func all(_ rows: @Sendable @escaping (any StoreTransaction) -> Rows) -> [RowEngine<Rows>] {
        StoreEngine.allCases.map { engine in
            RowEngine(testDescription: engine.testDescription) { body in
                try await engine.run { store in try await store.write { try await body(rows($0)) } }
            }
        }
    }
}
