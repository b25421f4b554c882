import Foundation
import GatewayCore
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

    /// A folder that root makes, as on a new machine, belongs to the account whose folder it is made in.
    @Test(.enabled(if: geteuid() == 0, "only the superuser makes files that are not the account's"))
    func foldersThatRootMakesAreTheGateways() throws {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appendingPathComponent("owner-\(UUID().uuidString)").path
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: folder) }
        #expect(chown(folder, 65_534, 65_534) == 0)
        try FileOwner.makeFolder("\(folder)/a/b")
        try FileOwner.makeFolder("\(folder)/a/b")
        for made in ["a", "a/b"] {
            let owner = try files.attributesOfItem(atPath: "\(folder)/\(made)")[.ownerAccountID]
            #expect((owner as? NSNumber)?.intValue == 65_534, "\(made)")
        }
        // Nor does root serve what is another account's.
        #expect { try ConfigurationCheck.checkAccount(folder) } throws: { "\($0)".contains("belongs to the account") }
        // Also where it is not there yet.
        #expect { try ConfigurationCheck.checkAccount("\(folder)/none/yet") } throws: {
            "\($0)".contains("\(folder): belongs to the account")
        }
        #expect(throws: Never.self) { try ConfigurationCheck.checkAccount(folder + ".none") }
        // An account without a name, as a shell takes it.
        #expect(chown(folder, 54_321, 54_321) == 0)
        #expect { try ConfigurationCheck.checkAccount(folder) } throws: {
            "\($0)".contains("sudo -u '#54321' fieldbook-gateway serve")
        }
    }

    /// Who may not look into a folder does not learn whether there is a file in it.
    @Test func aFileOfAnotherAccountIsNotMissing() {
        let path = "/etc/gateway.yaml"
        for reason in [ENOENT, ENOTDIR] {
            #expect(UnreadableFile(path: path, reason: reason).error.hint?.hasPrefix("Make one with") == true)
        }
        #expect(
            UnreadableFile(path: path, reason: EACCES).error.hint
                == "Run the command as the account that owns it: sudo -u root fieldbook-gateway …")
        let missing = #expect(throws: ConfigurationError.self) { try UnreadableFile.text(of: "/etc/no-such-file") }
        #expect(missing?.problem == "is not there")
    }
}
