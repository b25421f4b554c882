import Foundation
import Glibc
import SQLiteStorage
import Testing

@testable import GatewayServer

@Suite struct StorageLockTests {
    /// A lock that is root's would keep the gateway's own account from starting.
    @Test(.enabled(if: geteuid() == 0, "only the superuser makes files that are not the account's"))
    func locksThatRootMakesAreTheGateways() throws {
        let storage = FileManager.default.temporaryDirectory.appendingPathComponent("lock-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: storage, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: storage) }
        #expect(chown(storage, 65_534, 65_534) == 0)
        let lock = try FileLock.take(storage: storage)
        defer { lock.release() }
        try Administrators.set("root", password: "a long password", storage: storage)
        let files = try FileManager.default.contentsOfDirectory(atPath: storage)
        #expect(files.count == 3)
        for file in files {
            let owner = try FileManager.default.attributesOfItem(atPath: "\(storage)/\(file)")[.ownerAccountID]
            #expect((owner as? NSNumber)?.intValue == 65_534, "\(file)")
        }
    }
}
