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
        reserve.fillWhole()
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
        let reserve = DiskReserve(folder)
        reserve.fillWhole()
        var sizes: [Int?] = []
        let full = StoreError(.diskFull, message: "full")
        try reserve.makingRoom {
            sizes.append(try size(folder.reserve))
            if sizes.count == 1 { throw full }
        }
        #expect(sizes == [StoreLimits.reserve, nil])
        #expect(try size(folder.reserve) == StoreLimits.reserve, "it is set aside again")
        #expect(throws: StoreError.self) { try reserve.makingRoom { throw StoreError(.conflict, message: "other") } }
        #expect(try size(folder.reserve) == StoreLimits.reserve)
        // Of two at once one finds it released.
        var tries = 0
        try reserve.makingRoom {
            tries += 1
            guard tries == 1 else { return }
            #expect(reserve.release())
            throw full
        }
        #expect(tries == 2)
    }
}
