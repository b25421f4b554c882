import CFaultyDisk
import DocumentStore
import Foundation
import SodiumCrypto
import Testing

/// The disk fails as it was set to and forgets what it may: else the simulation would show nothing.
@Suite struct FaultyDiskSimulationTests {
    private let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        .appendingPathComponent("faulty-\(UUID().uuidString)")

    private func database(
        _ disk: FaultyDisk, durability: DatabaseConfiguration.Durability = .immediate, key: EncryptionKey? = nil
    ) throws -> Database {
        var configuration = DatabaseConfiguration()
        configuration.durability = durability
        configuration.encryptionKey = key
        return try Database.open(folder: disk.folder.appendingPathComponent("client").path, config: configuration)
    }

    private func save(_ id: String, in database: Database) throws {
        try database.defaultCollection().save(document: MutableDocument(id: id, json: "{}"))
    }

    @Test(arguments: [
        (FAULTY_DISK_FULL, StoreError.Code.diskFull), (FAULTY_DISK_WRITE, .ioError), (FAULTY_DISK_SYNC, .ioError),
    ]) func whatFailsIsNotSavedAndTheNextOneIs(fault: faulty_disk_fault, code: StoreError.Code) throws {
        let disk = try FaultyDisk(folder)
        let database = try database(disk)
        try save("before", in: database)
        disk.fail(fault, after: 0)
        let error = #expect(throws: StoreError.self) { try save("failed", in: database) }
        #expect(error?.code == code && disk.failures == 1)
        try save("after", in: database)
        #expect(try database.defaultCollection().documentIDs() == ["after", "before"])
        try database.performMaintenance(type: .integrityCheck)
        try database.close()
    }

    /// One deletion after the other: each empties the log, and gives the reserve back.
    @Test func aDeletionOnAFullDiskGivesTheReserveBack() throws {
        let disk = try FaultyDisk(folder)
        let database = try database(disk)
        let ids = (0..<10).map { "d\($0)" }
        for id in ids { try save(id, in: database) }
        func size(_ name: String) throws -> Int? {
            let path = disk.folder.appendingPathComponent("client/\(name)").path
            return (try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue
        }
        for (number, id) in ids.enumerated() {
            disk.fail(FAULTY_DISK_FULL, after: 0)
            try database.defaultCollection().purge(id: id)
            #expect(try disk.failures == number + 1 && size("reserve") == StoreLimits.reserve)
            #expect(try size("database.sqlite3-wal") == 0)
        }
        #expect(try database.defaultCollection().count == 0 && database.diskUse().missingReserve == 0)
        try database.performMaintenance(type: .integrityCheck)
        try database.close()
    }

    /// What it had written to the log until it failed is no lasting loss of room.
    @Test func aFailedBatchLeavesNothingInTheLog() throws {
        let disk = try FaultyDisk(folder)
        let database = try database(disk)
        try save("before", in: database)
        let text = String(repeating: "x", count: 100_000)
        disk.fail(FAULTY_DISK_FULL, after: 1_000)
        let error = #expect(throws: StoreError.self) {
            try database.inBatch {
                for number in 0..<400 {
                    try database.defaultCollection().save(
                        document: MutableDocument(id: "b\(number)").setString(text, forKey: "text"))
                }
            }
        }
        #expect(error?.code == .diskFull && disk.failures == 1)
        #expect(try database.diskUse().log == 0)
        #expect(try database.defaultCollection().documentIDs() == ["before"])
        try database.performMaintenance(type: .compact)
        try database.close()
    }

    /// A batch that is only written, as pulled ones are, may be lost; what is synced, and all before it, is not.
    @Test func aPowerCutTakesWhatIsNotSynced() throws {
        let disk = try FaultyDisk(folder.appendingPathComponent("disk"))
        let database = try database(disk)
        try save("synced", in: database)
        let store = try ReplicationStore(database: database, remote: "ws://gateway.test/db")
        try store.saveCheckpoint("cp", body: Array("{}".utf8))
        #expect(disk.unsynced > 0)
        var fates: Set<Bool> = []
        for seed in 0..<20 as Range<UInt64> {
            let copy = try disk.crashed(.power, seed: seed, as: folder.appendingPathComponent("power-\(seed)"))
            fates.insert(try hasCheckpoint(copy))
        }
        #expect(fates == [true, false])
        let copy = try disk.crashed(.process, seed: 0, as: folder.appendingPathComponent("process"))
        #expect(try hasCheckpoint(copy))
        try database.close()
    }

    /// What is only written reaches the disk with the log that it lies in: the last saves may be lost, none from among those
    /// that stay.
    @Test func aPowerCutTakesTheLastOfWhatIsDeferred() throws {
        let disk = try FaultyDisk(folder.appendingPathComponent("disk"))
        let database = try database(disk, durability: .deferred)
        let ids = (0..<10).map { "d\($0)" }
        for id in ids { try save(id, in: database) }
        #expect(disk.unsynced > 0)
        var counts: Set<Int> = []
        for seed in 0..<20 as Range<UInt64> {
            let copy = try disk.crashed(.power, seed: seed, as: folder.appendingPathComponent("power-\(seed)"))
            let kept = try documents(copy)
            #expect(kept == Array(ids.prefix(kept.count)))
            counts.insert(kept.count)
        }
        #expect((counts.min() ?? ids.count) < ids.count)
        #expect(try documents(try disk.crashed(.process, seed: 0, as: folder.appendingPathComponent("process"))) == ids)
        try database.close()
    }

    @Test(arguments: [DatabaseConfiguration.Durability.immediate, .full])
    func aSaveThatIsNotDeferredHasReachedTheDisk(durability: DatabaseConfiguration.Durability) throws {
        let disk = try FaultyDisk(folder.appendingPathComponent("disk"))
        let database = try database(disk, durability: durability)
        try save("saved", in: database)
        #expect(disk.unsynced == 0)
        let store = try ReplicationStore(database: database, remote: "ws://gateway.test/db")
        try store.saveCheckpoint("cp", body: Array("{}".utf8))
        #expect((disk.unsynced == 0) == (durability == .full))
        try database.close()
    }

    /// An encrypted database is as whole after a power cut as a plain one: pages that are torn are in the log.
    @Test func aPowerCutLeavesAnEncryptedDatabaseWhole() throws {
        let key = EncryptionKey.key(Data(0..<32))
        let disk = try FaultyDisk(folder.appendingPathComponent("disk"))
        let database = try database(disk, durability: .deferred, key: key)
        let text = String(repeating: "rats", count: 2_000)
        let ids = (0..<10).map { "d\($0)" }
        for round in 0..<40 {
            let number = round % ids.count
            let document = try database.defaultCollection().document(id: ids[number])?.toMutable()
            try database.defaultCollection().save(
                document: (document ?? MutableDocument(id: ids[number])).setString("\(round) \(text)", forKey: "text"))
            if round % 7 == 6 { try database.performMaintenance(type: .compact) }
            let copy = try disk.crashed(
                .power, seed: UInt64(round), as: folder.appendingPathComponent("power-\(round)"))
            let crashed = try self.database(copy, key: key)
            try crashed.performMaintenance(type: .integrityCheck)
            #expect(
                try crashed.defaultCollection().documentIDs()
                    == Array(ids.prefix(Int(crashed.defaultCollection().count))))
            try crashed.close()
        }
        try database.close()
    }

    /// The disk may have any number of the pages by which a log has grown. Some of them end in the mark of a frame.
    @Test func anEncryptedLogMayEndAtAnyPageOfTheDisk() throws {
        let key = EncryptionKey.key(Data(0..<32))
        let disk = try FaultyDisk(folder.appendingPathComponent("disk"))
        let database = try database(disk, durability: .deferred, key: key)
        let ids = (10..<90).map { "d\($0)" }
        for id in ids { try save(id, in: database) }
        let path = "client/database.sqlite3-wal"
        let log = [UInt8](try Data(contentsOf: disk.folder.appendingPathComponent(path)))
        let marked = 24 + log[8..<12].reduce(0) { $0 << 8 | Int($1) }
        let ends = stride(from: 4096, to: log.count, by: 4096)
        let inMarks = ends.filter { ($0 - 32) % (marked + SecretKey.sealingOverhead) >= marked }
        try #require(!inMarks.isEmpty)
        for end in inMarks.flatMap({ [$0 - 4096, $0, $0 + 4096] }) where end <= log.count {
            let copy = try disk.crashed(.process, seed: 0, as: folder.appendingPathComponent("end-\(end)"))
            let cut = try FileHandle(forWritingTo: copy.folder.appendingPathComponent(path))
            try cut.truncate(atOffset: UInt64(end))
            try cut.close()
            let crashed = try self.database(copy, key: key)
            try crashed.performMaintenance(type: .integrityCheck)
            let kept = try crashed.defaultCollection().documentIDs()
            #expect(!kept.isEmpty && kept == Array(ids.prefix(kept.count)))
            try crashed.close()
        }
        try database.close()
    }

    private func documents(_ disk: FaultyDisk) throws -> [String] {
        let database = try database(disk)
        try database.performMaintenance(type: .integrityCheck)
        let ids = try database.defaultCollection().documentIDs()
        try database.close()
        return ids
    }

    private func hasCheckpoint(_ disk: FaultyDisk) throws -> Bool {
        let database = try database(disk)
        #expect(try database.defaultCollection().document(id: "synced") != nil)
        try database.performMaintenance(type: .integrityCheck)
        let store = try ReplicationStore(database: database, remote: "ws://gateway.test/db")
        let isThere = try store.loadCheckpoint("cp") != nil
        try database.close()
        return isThere
    }
}
