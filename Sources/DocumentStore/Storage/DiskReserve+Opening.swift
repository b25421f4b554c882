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
}
