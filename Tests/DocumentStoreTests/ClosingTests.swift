import Dispatch
import DocumentValues
import Foundation
import GRDB
import Glibc
import Synchronization
import Testing

@testable import DocumentStore

/// Closing while something else uses the database.
@Suite struct ClosingTests {
    /// Expired documents are purged on a thread of its own, which may be at the end of its transaction just then.
    @Test(.timeLimit(.minutes(1))) func aTransactionThatIsOverKeepsNoConnectionOpen() throws {
        let files = try TestFolder()
        let folder = DatabaseFolder(name: "test", directory: files.url.path)
        let core = try StoreCore.open(folder, configuration: files.configuration)
        let collection = try core.write {
            try CollectionCatalog.find(.default, $0.db) ?? CollectionCatalog.create(.default, $0.db)
        }.id
        let closing = Mutex<Swift.Result<Void, any Error>?>(nil)
        let isClosed = DispatchSemaphore(value: 0)
        core.onCommit {
            let thread = Thread {
                let result = Swift.Result { try core.close() }
                closing.withLock { $0 = result }
                isClosed.signal()
            }
            thread.start()
            // What is done after a commit is a part of the call.
            while core.isOpen { usleep(100) }
        }
        try core.write { _ = try $0.table(collection) }
        isClosed.wait()
        let result = closing.withLock { $0 }
        try #require(result).get()
        core.onCommit {}
    }

    /// Who has taken the core before it is closed gets an error: the connection that is gone must not be asked.
    @Test func aWriteThatComesAfterTheCloseIsRefused() throws {
        let files = try TestFolder()
        let database = try files.open()
        let core = try database.core()
        try core.write(.normal) { _ in }
        try database.close()
        #expect(performing: { try core.write(.normal) { _ in } }, throws: { ($0 as? StoreError)?.code == .notOpen })
    }

    /// What is done after a commit, and what is left to release at the end, is the same however many commits there were:
    /// a thread with a stack of half a megabyte is enough.
    @Test func manyCommitsTakeNoStack() throws {
        let files = try TestFolder()
        let outcome = Mutex<Swift.Result<Void, any Error>?>(nil)
        let isOver = DispatchSemaphore(value: 0)
        let thread = Thread {
            let result = Swift.Result {
                let database = try files.open()
                let core = try database.core()
                for _ in 0..<5_000 { try core.write(.normal) { _ in } }
                try database.close()
            }
            outcome.withLock { $0 = result }
            isOver.signal()
        }
        thread.stackSize = 512 << 10
        thread.start()
        #expect(isOver.wait(timeout: .now() + 60) == .success)
        let result = outcome.withLock { $0 }
        try #require(result).get()
    }

    /// A database that cannot be closed is as open as before.
    @Test func aCloseThatFailsLeavesQueriesRunning() throws {
        let files = try TestFolder()
        let database = try files.open()
        let query = try database.createQuery("SELECT META().id FROM _")
        var held: Statement? = try database.core().write { try $0.db.makeStatement(sql: "SELECT 1") }
        #expect(throws: StoreError.self) { try database.close() }
        #expect(try query.execute().allResults().isEmpty)
        withExtendedLifetime(held) {}
        held = nil
        try database.close()
        #expect(throws: StoreError.self) { try query.execute() }
    }
}
