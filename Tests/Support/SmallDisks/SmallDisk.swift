import Foundation
import Glibc

/// A small disk for tests that need a full file system.
package final class SmallDisk: Sendable {
    /// They differ in the space that is left after a failed attempt to set aside more than the disk has.
    package enum System: String, Sendable { case ext4, tmpfs }

    package let folder: URL
    private let image: URL

    package static let canBeMade = (try? SmallDisk(.ext4, size: 8 << 20)) != nil

    package init(_ system: System, size: Int) throws {
        let root = FileManager.default.temporaryDirectory
        folder = root.appendingPathComponent("disk-\(UUID().uuidString)")
        image = root.appendingPathComponent("\(folder.lastPathComponent).image")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        switch system {
        case .tmpfs: try Self.run("mount", "-t", "tmpfs", "-o", "size=\(size)", "tmpfs", folder.path)
        case .ext4:
            _ = FileManager.default.createFile(atPath: image.path, contents: nil)
            try FileHandle(forWritingTo: image).truncate(atOffset: UInt64(size))
            try Self.run("mkfs.ext4", "-q", "-m", "0", image.path)
            try Self.run("mount", "-o", "loop", image.path, folder.path)
        }
    }

    deinit {
        try? Self.run("umount", folder.path)
        try? FileManager.default.removeItem(at: folder)
        try? FileManager.default.removeItem(at: image)
    }

    /// Takes the free space, except for less than a block of files.
    package func fill() throws {
        let file = folder.appendingPathComponent("filler")
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        for size in [1 << 20, 4 << 10] {
            let portion = Data(repeating: 1, count: size)
            do { while true { try handle.write(contentsOf: portion) } } catch let error as CocoaError {
                guard error.code == .fileWriteOutOfSpace else { throw error }
            }
        }
    }

    /// Frees the space that `fill()` took.
    package func empty() throws { try FileManager.default.removeItem(at: folder.appendingPathComponent("filler")) }

    /// Takes all but so many bytes.
    package func fill(leaving bytes: Int) throws {
        let descriptor = open(folder.appendingPathComponent("ballast").path, O_WRONLY | O_CREAT, 0o600)
        defer { close(descriptor) }
        let code = posix_fallocate(descriptor, 0, off_t(try free() - bytes))
        guard code == 0 else { throw CocoaError(.fileWriteOutOfSpace) }
    }

    package func free() throws -> Int {
        let attributes = try FileManager.default.attributesOfFileSystem(forPath: folder.path)
        guard let size = attributes[.systemFreeSize] as? NSNumber else { throw CocoaError(.featureUnsupported) }
        return size.intValue
    }

    private static func run(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.featureUnsupported) }
    }
}
