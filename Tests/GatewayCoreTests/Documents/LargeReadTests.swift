import DocumentValues
import Foundation
import Synchronization
import Testing

@testable import GatewayCore

/// What one user reads keeps others neither from the readers nor from the threads.
@Suite(.timeLimit(.minutes(1))) struct LargeReadTests {
    @Test func largeDocumentsAreReadInTurns() async throws {
        try await TestDatabase.run { test in
            let text = String(repeating: "x", count: GatewayLimits.bytesReadInPlace)
            try await test.put("large", ["channels": ["!"], "text": .string(text)])
            try await test.put("small", ["channels": ["!"]])
            for name in ["ann", "bob"] { try await test.putUser(name) }
            let store = test.database.store
            let gate = DispatchSemaphore(value: 0)
            let begun = AsyncStream<Void>.makeStream()
            func read(_ id: String, by name: Name) async throws -> Int {
                try await test.database.documents.read(id, in: TestDatabase.collection, as: .user(name)).body.count
            }
            let held = (0..<GatewayLimits.readsOfAccount).map { _ in
                Task {
                    try await store.read(for: "ann") { _ in
                        begun.continuation.yield()
                        gate.wait()
                    }
                }
            }
            var count = 0
            for await _ in begun.stream {
                count += 1
                if count == held.count { break }
            }
            let isRead = Mutex(false)
            let waiting = Task {
                let length = try await read("large", by: "ann")
                isRead.withLock { $0 = true }
                return length
            }
            #expect(try await read("large", by: "bob") > text.utf8.count)
            #expect(try await read("small", by: "ann") > 0, "what is small takes no reader")
            #expect(isRead.withLock { !$0 })
            for _ in held { gate.signal() }
            #expect(try await waiting.value > text.utf8.count)
            for task in held { try await task.value }
        }
    }

    /// Taking a large new document apart is as much work as reading one: nobody's small reads wait for it.
    @Test func largeNewDocumentsTakeATurn() async throws {
        try await TestDatabase.run { test in
            let text = String(repeating: "x", count: GatewayLimits.bytesReadInPlace)
            let store = test.database.store
            let gate = DispatchSemaphore(value: 0)
            let begun = AsyncStream<Void>.makeStream()
            let held = (0..<GatewayLimits.readsOfAccount).map { _ in
                Task {
                    try await store.read(for: Requester.admin.account) { _ in
                        begun.continuation.yield()
                        gate.wait()
                    }
                }
            }
            var count = 0
            for await _ in begun.stream {
                count += 1
                if count == held.count { break }
            }
            let isStored = Mutex(false)
            let waiting = Task {
                _ = try await test.put("large", ["text": .string(text)])
                isStored.withLock { $0 = true }
            }
            for number in 0..<10 { try await test.put("small\(number)", [:]) }
            #expect(isStored.withLock { !$0 })
            for _ in held { gate.signal() }
            try await waiting.value
            for task in held { try await task.value }
        }
    }

    /// The leaves of a conflict are read with the document.
    @Test func allLeavesCount() async throws {
        try await TestDatabase.run(["allow_conflicts": true]) { test in
            for revision in ["1-a", "1-b"] { try await test.push("d", revision, [], ["t": "0123456789"]) }
            let number = try test.database.documents.collection(TestDatabase.collection).number
            let bytes = try await test.database.store.read { try $0.documents.bytes(of: ["d", "none"], in: number) }
            // Both bodies, the channels of both ("[]" each, see DocumentChannels), and the tree with two revisions.
            let state = try await test.database.store.read { store in
                try store.documents.find("d", in: number).map { try store.state(of: $0) }
            }
            let tree = try #require(state).stored.tree.text.utf8.count
            #expect(bytes == 2 * #"{"t":"0123456789"}"#.utf8.count + tree + 2 * "[]".utf8.count)
        }
    }
}
