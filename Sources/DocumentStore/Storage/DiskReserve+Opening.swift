import Foundation
import SQLiteStorage

/// Opening a database needs room for its log and the log's index. A user whose disk is full must still be able to read.
extension DiskReserve {
    init(_ folder: DatabaseFolder) { self.init(folder.reserve.path, size: StoreLimits.reserve) }

    /// Opens with the space that the disk has left or, if that is too little, with the reserve.
    func opening<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as StoreError where error.code == .diskFull {
            guard release() else { throw error }
            return try body()
        }
    }

    /// Runs `body`, which makes room: with the space that the disk has left or, if that is too little, with the reserve,
    /// which is made again as soon as there is room.
    ///
    /// - Parameter body: undone as a whole where it fails.
    func makingRoom<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as StoreError where error.code == .diskFull {
            // Another process may have released it just now: then there is room, too.
            let isOurs = release()
            defer { if isOurs { complete(sparing: 0) } }
            return try body()
        }
    }
}

extension StoreCore {
    /// Runs `body` as `write` does, for work that makes room. It does not use the reserve within a batch: a failure
    /// undoes the earlier writes of the batch, too.
    func writeMakingRoom<Value>(
        _ wanted: Synchronous = .full, body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        guard !isWriting else { return try write(wanted, body: body) }
        return try DiskReserve(folder).makingRoom { try write(wanted, body: body) }
    }
}
