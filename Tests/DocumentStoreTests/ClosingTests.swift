import DocumentValues
import Foundation
import Synchronization
import Testing

@testable import DocumentStore

/// Closing while something else uses the database.
@Suite struct ClosingTests {
    /// Expired documents are purged on a thread of its own, which may be at the end of its transaction just then.
    @Test func aTransactionThatIsOverKeepsNoConnectionOpen() throws {
        let files = try TestFolder()
        let folder = DatabaseFolder(name: "test", directory: files.url.path)
        let core = try StoreCore.open(folder, configuration: files.configuration)
        let collection = try core.write {
            try CollectionCatalog.find(.default, $0.db) ?? CollectionCatalog.create(.default, $0.db)
        }.id
        let closing = Mutex<Swift.Result<Void, any Error>?>(nil)
        core.onCommit {
            let result = Swift.Result { try core.close() }
            closing.withLock { $0 = result }
        }
        try core.write { _ = try $0.table(collection) }
        let result = closing.withLock { $0 }
        try #require(result).get()
        core.onCommit {}
    }
}
