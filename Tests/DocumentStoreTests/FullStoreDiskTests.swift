import Foundation
import GRDB
import SmallDisks
import Testing

@testable import DocumentStore

/// What still works on a disk without room.
@Suite struct FullStoreDiskTests {
    static let disks: [(system: SmallDisk.System, size: Int)] = [(.ext4, 64 << 20), (.tmpfs, 48 << 20)]

    private let text = String(repeating: "x", count: 50_000)

    private func open(_ disk: SmallDisk) throws -> DocumentStore.Database {
        var configuration = DatabaseConfiguration()
        configuration.directory = disk.folder.path
        configuration.durability = .deferred
        return try Database(name: "test", config: configuration)
    }

    /// Saves until the disk is full, and takes what is left of it.
    ///
    /// - Returns: how many documents there are, `d0` and so on.
    private func fill(_ disk: SmallDisk, by collection: DocumentStore.Collection) throws -> Int {
        var count = 0
        let error = #expect(throws: StoreError.self) {
            while true {
                try collection.put("d\(count)", ["text": text])
                count += 1
            }
        }
        #expect(error?.code == .diskFull && count > 300)
        try disk.fill()
        return count
    }

    @Test(
        .enabled(if: SmallDisk.canBeMade, "A disk of its own needs root, mkfs.ext4 and loop devices."), arguments: disks
    )
    func everyDeletionWorks(disk: (system: SmallDisk.System, size: Int)) throws {
        let disk = try SmallDisk(disk.system, size: disk.size)
        let database = try open(disk)
        let notes = try database.defaultCollection()
        let count = try fill(disk, by: notes)
        for number in 0..<100 {
            let document = try #require(try notes.document(id: "d\(number)"))
            try notes.delete(document: document)
        }
        for number in 100..<200 { try notes.purge(id: "d\(number)") }
        #expect(notes.count == UInt64(count - 200))
        let use = try database.diskUse()
        #expect(use.log == 0 && use.reserve > StoreLimits.reserve / 2)
        // What was purged has room for what is saved.
        for number in 0..<10 { try notes.put("n\(number)", ["text": "x"]) }
        try database.performMaintenance(type: .integrityCheck)
        try database.close()
        let again = try open(disk)
        #expect(try again.defaultCollection().count == UInt64(count - 190))
        try again.defaultCollection().purge(id: "d200")
        try again.close()
    }

    @Test(
        .enabled(if: SmallDisk.canBeMade, "A disk of its own needs root, mkfs.ext4 and loop devices."), arguments: disks
    )
    func theReserveIsWholeOnceThereIsRoom(disk: (system: SmallDisk.System, size: Int)) throws {
        let disk = try SmallDisk(disk.system, size: disk.size)
        let database = try open(disk)
        let notes = try database.defaultCollection()
        _ = try fill(disk, by: notes)
        try notes.purge(id: "d0")
        #expect(try database.core().room.state == .used && database.diskUse().missingReserve > 0)
        try disk.empty()
        try notes.put("a", [:])
        #expect(try database.core().room.state == .whole && database.diskUse().missingReserve == 0)
        try database.close()
    }

    /// As long as what is left of the documents is small.
    @Test(
        .enabled(if: SmallDisk.canBeMade, "A disk of its own needs root, mkfs.ext4 and loop devices."), arguments: disks
    )
    func compactingFreesTheDisk(disk: (system: SmallDisk.System, size: Int)) throws {
        let disk = try SmallDisk(disk.system, size: disk.size)
        let database = try open(disk)
        let notes = try database.defaultCollection()
        let count = try fill(disk, by: notes)
        let error = #expect(throws: StoreError.self) { try database.performMaintenance(type: .compact) }
        #expect(error?.code == .diskFull && error?.hint?.contains("temporary files") == true)
        #expect(try database.diskUse().log == 0)
        for number in 10..<count { try notes.purge(id: "d\(number)") }
        try database.performMaintenance(type: .compact)
        #expect(notes.count == 10)
        #expect(try disk.free() > 8 << 20)
        #expect(try database.diskUse().missingReserve == 0)
        try database.close()
    }

    @Test(
        .enabled(if: SmallDisk.canBeMade, "A disk of its own needs root, mkfs.ext4 and loop devices."), arguments: disks
    )
    func whatHasExpiredIsPurged(disk: (system: SmallDisk.System, size: Int)) throws {
        let disk = try SmallDisk(disk.system, size: disk.size)
        let database = try open(disk)
        let count = try fill(disk, by: try database.defaultCollection())
        try disk.empty()
        try database.close()
        let path = disk.folder.appendingPathComponent("test.fieldbook/database.sqlite3").path
        let file = try DatabaseQueue(path: path)
        try file.write { db in
            try db.execute(
                sql: """
                    UPDATE documents_1 SET expiration = 1 WHERE sequence <= 40;
                    UPDATE collections SET next_expiration = 1;
                    """)
        }
        try file.close()
        try disk.fill()
        let again = try open(disk)
        // The timer does the same at the same time.
        #expect(try again.core().purgeExpired() == nil)
        #expect(try again.defaultCollection().count == UInt64(count - 40))
        try again.close()
    }
}
