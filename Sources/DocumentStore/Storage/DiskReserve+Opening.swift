import Foundation
import SQLiteStorage

/// Opening a database needs room for its log and the log's index, and anybody who cannot save any more must still be able
/// to read.
extension DiskReserve {
    init(_ folder: DatabaseFolder) { self.init(folder.reserve.path, size: StoreLimits.reserve) }

    /// Opens with what the disk has left or, if that is too little, with the reserve.
    func opening<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as StoreError where error.code == .diskFull {
            guard release() else { throw error }
            return try body()
        }
    }

    /// Does what makes room: with what the disk has left or, if that is too little, with the reserve, which is set aside again
    /// as soon as there is room.
    ///
    /// - Parameter body: undone as a whole where it fails.
    func makingRoom<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as StoreError where error.code == .diskFull {
            // Another one may have released it just now: then there is room, too.
            let isOurs = release()
            defer { if isOurs { complete(sparing: 0) } }
            return try body()
        }
    }
}

extension StoreCore {
    /// Runs `body` as `write` does, for what makes room. Within a batch the disk has to have some: what came before is undone
    /// with it.
    func writeMakingRoom<Value>(
        _ wanted: Synchronous = .full, body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        guard try !isWriting else { return try write(wanted, body: body) }
        return try DiskReserve(folder).makingRoom { try write(wanted, body: body) }
    }
}
