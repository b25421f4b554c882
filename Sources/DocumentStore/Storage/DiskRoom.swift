import DocumentValues
import Foundation
import GRDB
import SQLiteStorage
import Synchronization

/// The room on the disk of an open database: it keeps a reserve for work that makes room, and refuses saves that would take
/// the room which the content of the log needs in the file. So the log can always be emptied, and a deletion that has used
/// the reserve gives its space back.
final class DiskRoom: Sendable {
    /// Whether the reserve has all its bytes.
    enum State: Sendable, Hashable {
        case whole
        /// It was used, and the disk has not had room for it since.
        case used
    }

    private let folder: DatabaseFolder
    /// Of the folder. Kept, because a URL puts its path together at each access, and each commit asks for it.
    private let path: String
    private let reserve: DiskReserve
    private let stored = Mutex(State.whole)
    /// Work that has the reserve is done by one thread at a time: another one would find it taken back.
    private let turn = NSLock()

    init(_ folder: DatabaseFolder) {
        self.folder = folder
        path = folder.url.path
        reserve = DiskReserve(folder)
    }

    var state: State { stored.withLock { $0 } }

    // MARK: The reserve

    /// Runs `body`, which makes room: with the space that the disk has left or, if that is too little, with the reserve. The
    /// reserve then gets its space back from the log, as often as it is used.
    ///
    /// - Parameters:
    ///   - emptyLog: copies the log into the file and empties it. What a failed transaction has written there is gone then.
    ///   - body: undone as a whole where it fails.
    func makingRoom<Value>(emptyingLog emptyLog: () throws -> Void, body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as StoreError where error.code == .diskFull {
            turn.lock()
            defer { turn.unlock() }
            lend()
            defer { takeBack(emptyingLog: emptyLog) }
            try emptyLog()
            return try body()
        }
    }

    private func lend() {
        // Another process may have released it just now: then there is room, too.
        guard reserve.release(), set(.used) == .whole else { return }
        LibraryLog.database.warning("The disk is full: room is made with the reserve of \(path)")
    }

    private func takeBack(emptyingLog emptyLog: () throws -> Void) {
        do { try emptyLog() } catch {
            LibraryLog.database.warning("The log of \(path) cannot be emptied: \(error)")
        }
        refillReserve()
    }

    /// Sets aside what the reserve lacks, as far as the disk has it.
    func refillReserve() {
        reserve.refill(sparing: StoreLimits.besideReserve)
        if reserve.missing > 0 { _ = set(.used) }
        noteWhole()
    }

    /// Completes the reserve once the disk has room for it besides.
    func completeReserve() {
        guard state == .used else { return }
        reserve.complete(sparing: StoreLimits.besideReserve)
        noteWhole()
    }

    private func noteWhole() {
        guard reserve.missing == 0, set(.whole) == .used else { return }
        LibraryLog.database.info("The disk has room again for the reserve of \(path)")
    }

    /// - Returns: the former state.
    private func set(_ new: State) -> State {
        stored.withLock { state in
            defer { state = new }
            return state
        }
    }

    // MARK: The log

    /// Looks whether what the log has, with the open transaction, finds room in the file. At the end of a transaction.
    ///
    /// - Returns: whether the log should be copied after the commit, because the next one may find no room any more.
    /// - Throws: as SQLite does on a full disk, where there is no room.
    func checkLog(_ db: GRDB.Database) throws -> Bool {
        guard let free = FreeSpace.bytes(at: path), free < StoreLimits.ampleSpace else { return false }
        let growth = max(0, try db.length - Int(folder.size(of: folder.database) ?? 0))
        // The pages that are not in the log yet need room there, too.
        guard growth == 0 || free >= growth + min(growth, StoreLimits.writerCache) else {
            throw DatabaseError(resultCode: .SQLITE_FULL, message: "the log would not find room in the file")
        }
        return free < 2 * (growth + StoreLimits.copiedGrowth)
    }
}

extension GRDB.Database {
    /// Bytes of the file when it has all that is in the log.
    fileprivate var length: Int {
        get throws {
            func number(_ pragma: String) throws -> Int {
                Int(try RawStatement("PRAGMA \(pragma)", self).first { $0.int64(0) } ?? 0)
            }
            return try number("page_count") * number("page_size")
        }
    }
}

extension StoreCore {
    /// Runs `body`, which makes room, with the reserve where that is needed.
    func makingRoom<Value>(_ body: () throws -> Value) throws -> Value {
        try room.makingRoom(emptyingLog: { try truncateLog() }, body: body)
    }

    /// Runs `body` as `write` does, for work that makes room. It does not use the reserve within a batch: a failure
    /// undoes the earlier writes of the batch, too.
    func writeMakingRoom<Value>(
        _ wanted: Synchronous = .full, body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        guard !isWriting else { return try write(wanted, body: body) }
        return try makingRoom { try write(wanted, purpose: .makingRoom, body: body) }
    }
}
