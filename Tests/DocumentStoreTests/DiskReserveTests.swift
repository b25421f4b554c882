@testable import DocumentStore
import Foundation
import SQLiteStorage
import Testing

@Suite struct DiskReserveTests {
    private func size(_ file: URL) throws -> Int? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return (try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? NSNumber)?.intValue
    }

    @Test func aDatabaseKeepsSomeOfTheDisk() throws {
        let folder = try TestFolder()
        let file = folder.databaseFolder().appendingPathComponent("reserve")
        try folder.open().close()
        #expect(try size(file) == StoreLimits.reserve)
        try FileManager.default.removeItem(at: file)
        try folder.open().close()
        #expect(try size(file) == StoreLimits.reserve)
    }

    @Test func aFullDiskIsOpenedWithTheReserve() throws {
        let folder = DatabaseFolder(try TestFolder().url)
        try folder.make()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        let reserve = DiskReserve(folder)
        reserve.refill(sparing: 0)
        var tries = 0
        let full = StoreError(.diskFull, message: "full")
        try reserve.opening {
            tries += 1
            if tries == 1 { throw full }
        }
        #expect(tries == 2)
        #expect(try size(folder.reserve) == nil)
        // Without a reserve the error is reported.
        #expect(throws: StoreError.self) { try reserve.opening { throw full } }
    }

    /// Else nothing could be purged from a disk that the database itself has filled.
    @Test func whatMakesRoomHasTheReserve() throws {
        let folder = DatabaseFolder(try TestFolder().url)
        try folder.make()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        let (room, reserve) = (DiskRoom(folder), DiskReserve(folder))
        room.refillReserve()
        #expect(room.state == .whole)
        let full = StoreError(.diskFull, message: "full")
        for round in 1...3 {
            var (steps, sizes): ([String], [Int?]) = ([], [])
            try room.makingRoom(emptyingLog: { steps.append("log") }) {
                steps.append("work")
                sizes.append(try size(folder.reserve))
                #expect(room.state == (sizes.count == 1 ? .whole : .used))
                if sizes.count == 1 { throw full }
            }
            #expect(steps == ["work", "log", "work", "log"] && sizes == [StoreLimits.reserve, nil], "\(round)")
            #expect(try size(folder.reserve) == StoreLimits.reserve, "it is set aside again")
            #expect(room.state == .whole)
        }
        #expect(performing: { try room.makingRoom(emptyingLog: {}) { throw full } }, throws: isCode(.diskFull))
        #expect(try size(folder.reserve) == StoreLimits.reserve)
        var logs = 0
        #expect(
            performing: {
                try room.makingRoom(emptyingLog: { logs += 1 }) { throw StoreError(.conflict, message: "other") }
            }, throws: isCode(.conflict))
        #expect(try logs == 0 && size(folder.reserve) == StoreLimits.reserve)
        // Of two at once one finds it released.
        var tries = 0
        try room.makingRoom(emptyingLog: {}) {
            tries += 1
            guard tries == 1 else { return }
            #expect(reserve.release())
            throw full
        }
        #expect(tries == 2)
    }
}
