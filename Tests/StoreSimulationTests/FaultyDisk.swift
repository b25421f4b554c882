import CFaultyDisk
import Foundation

/// A folder on a disk that can fail, and copies of it as a crash leaves it.
final class FaultyDisk {
    enum Crash: CaseIterable { case process, power }

    let folder: URL
    private let disk: OpaquePointer

    struct NoDisk: Error {}

    /// Makes the folder.
    init(_ folder: URL) throws {
        guard faulty_disk_install() == 0 else { throw NoDisk() }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder
        guard let disk = faulty_disk_new(folder.path) else { throw NoDisk() }
        self.disk = disk
    }

    /// All databases in the folder are to be closed before.
    deinit {
        faulty_disk_free(disk)
        try? FileManager.default.removeItem(at: folder)
    }

    var failures: Int { Int(faulty_disk_failures(disk)) }
    var unsynced: Int { Int(faulty_disk_unsynced(disk)) }

    func fail(_ fault: faulty_disk_fault, after count: Int, times: Int = 1) {
        faulty_disk_fail(disk, fault, Int32(count), Int32(times))
    }

    func heal() { faulty_disk_heal(disk) }

    /// What is found after a crash at this moment, on a disk of its own.
    func crashed(_ crash: Crash, seed: UInt64, as folder: URL) throws -> FaultyDisk {
        let copy = try FaultyDisk(folder)
        let files = FileManager.default
        for path in try files.subpathsOfDirectory(atPath: self.folder.path).sorted() {
            // The index of a log is shared memory.
            guard !path.hasSuffix("-shm") else { continue }
            let (source, target) = ("\(self.folder.path)/\(path)", "\(folder.path)/\(path)")
            var isFolder: ObjCBool = false
            guard files.fileExists(atPath: source, isDirectory: &isFolder) else { continue }
            if isFolder.boolValue {
                try files.createDirectory(atPath: target, withIntermediateDirectories: true)
            } else {
                switch crash {
                case .process: try files.copyItem(atPath: source, toPath: target)
                case .power:
                    guard faulty_disk_copy_after_power_cut(disk, source, target, seed) == 0 else { throw NoDisk() }
                }
            }
        }
        return copy
    }
}
