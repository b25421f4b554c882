import DocumentValues
import Foundation
import Synchronization
import Testing

@testable import GatewayCore

/// The reads of one user occupy neither all readers nor all threads.
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
                        gate.hold()
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

    /// Digesting a large document occupies neither the reader of small rows nor the threads of requests.
    @Test func largeDocumentsAreDecidedOnInTurns() async throws {
        try await TestDatabase.run { test in
            try await test.put("small", ["text": "x"])
            let work = test.database.documents.environment.longWork
            let gate = DispatchSemaphore(value: 0)
            let begun = AsyncStream<Void>.makeStream()
            let held = Task {
                try await work.run(of: "ann") {
                    begun.continuation.yield()
                    gate.hold()
                }
            }
            for await _ in begun.stream { break }
            let isStored = Mutex(false)
            let waiting = Task {
                let text = String(repeating: "x", count: GatewayLimits.bytesPlannedInPlace)
                try await test.put("large", ["text": .string(text)])
                isStored.withLock { $0 = true }
            }
            try await test.put("small", ["text": "y"])
            try await test.push("pushed", "1-a", [], ["text": "z"])
            #expect(try await test.body("small") == #"{"text":"y"}"#)
            #expect(isStored.withLock { !$0 })
            gate.signal()
            try await waiting.value
            try await held.value
        }
    }

    /// Large documents are decided on one by one, and all answers have the order of the requests.
    @Test func largeAndSmallDocumentsKeepTheirOrder() async throws {
        try await TestDatabase.run { test in
            let text = String(repeating: "x", count: GatewayLimits.bytesPlannedInPlace)
            let sizes: [(id: String, isLarge: Bool)] = [
                ("a", true), ("b", false), ("c", false), ("d", true), ("e", true), ("f", false), ("g", false),
                ("h", false), ("i", false), ("j", false), ("k", true),
            ]
            let writes = sizes.map { id, isLarge in
                let body: JSONValue = ["id": .string(id), "text": .string(isLarge ? text : "x")]
                return DocumentWrite(id: id, body: body.bytes)
            }
            func write() async -> [String] {
                await test.database.documents.write(writes, in: TestDatabase.collection, as: .admin).map { result in
                    switch result {
                    case .success(let outcome): outcome.id
                    case .failure(let error): "\(error.status)"
                    }
                }
            }
            #expect(await write() == sizes.map(\.id))
            #expect(await write() == sizes.map { _ in "409" })
            for size in sizes {
                let body = try await test.body(size.id)
                #expect(body.contains(text) == size.isLarge)
            }
        }
    }
}
