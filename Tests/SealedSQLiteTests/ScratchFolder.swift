import Foundation
import SealedSQLite
import SodiumCrypto

/// A folder with a sealed database, for one test.
final class ScratchFolder {
    /// What no file may have in plain.
    static let marker = "The-kitchen-is-infested-with-rats"

    let folder: URL
    var path: String { file("scratch.sqlite3") }
    let secret = SealingSecret.key(SecretKey())

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("sealed-sqlite-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func file(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// Makes the database, and lets SQLite open it.
    func make() throws -> KeyedFile {
        let sealing = try FileSealing(new: secret)
        try SealedDatabaseFile.make(path, sealing: sealing)
        return try KeyedFile(path, sealing: sealing)
    }

    /// Lets SQLite open a copy of the database.
    func keyed(_ name: String) throws -> KeyedFile {
        try KeyedFile(file(name), sealing: SealedDatabaseFile.open(file(name), secret: secret))
    }

    /// Copies the database and its log as they are on the disk, without the log's index: what a crash leaves.
    func copyAsAfterCrash(to name: String) throws {
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: file(name) + suffix)
        }
    }

    func bytes(_ name: String = "scratch.sqlite3") throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    func write(_ bytes: [UInt8], to name: String = "scratch.sqlite3") throws {
        try Data(bytes).write(to: folder.appendingPathComponent(name))
    }

    /// The files of the folder that have a text in plain.
    func files(with text: String = marker) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { name in
            try Data(contentsOf: folder.appendingPathComponent(name)).range(of: Data(text.utf8)) != nil
        }.sorted()
    }
}
