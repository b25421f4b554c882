import DocumentValues
import Foundation
import Glibc
import Synchronization

/// Which databases have a batch on which thread. A call on that thread that waits for the end of the batch, as a copy does,
/// would wait for ever.
enum OpenBatches {
    private struct Batch: Sendable {
        let thread: pthread_t
        let folder: DatabaseFolder
    }

    private static let all = Mutex<[Batch]>([])

    /// Runs `body` as a batch of the database in the folder.
    static func run<Value>(in folder: DatabaseFolder, _ body: () throws -> Value) rethrows -> Value {
        let thread = pthread_self()
        all.withLock { $0.append(Batch(thread: thread, folder: folder)) }
        defer {
            // The batch that a thread began last ends first.
            all.withLock { batches in
                if let index = batches.lastIndex(where: { $0.thread == thread }) { batches.remove(at: index) }
            }
        }
        return try body()
    }

    /// - Throws: `.invalidParameter` in a batch of the folder's database on this thread, even if it was begun with another
    ///   object.
    static func checkIsOutside(of folder: DatabaseFolder) throws {
        let thread = pthread_self()
        let file = path(folder)
        let own = all.withLock { batches in batches.filter { $0.thread == thread } }
        if own.contains(where: { path($0.folder).isExactly(file) }) { throw StoreError.insideBatch }
    }

    /// Callers may spell the same path in several ways.
    private static func path(_ folder: DatabaseFolder) -> String { folder.url.resolvingSymlinksInPath().path }
}

extension StoreError {
    static var insideBatch: StoreError {
        StoreError(.invalidParameter, message: "This cannot be done inside inBatch.")
    }
}
