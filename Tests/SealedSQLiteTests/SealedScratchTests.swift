import Foundation
import GRDBSQLite
import Testing

@testable import SealedSQLite

/// Temporary files, beside a file in memory that does the same.
@Suite struct SealedScratchTests {
    @Test(arguments: [UInt64(1), 2, 3, 4]) func itReadsWhatWasWrittenAnywhere(seed: UInt64) throws {
        let scratch = try ScratchFolder()
        let file = try DiskFile(scratch.file("temporary"))
        let sealed = SealedScratch(file.usual)
        var model: [UInt8] = []
        var random = RandomSteps(state: seed)
        for _ in 0..<2000 {
            let offset = random.next(upTo: 40_000)
            let count = [4, 100, 4096, 4100, 9000][random.next(upTo: 5)]
            switch random.next(upTo: 8) {
            case 0...3:
                let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                #expect(bytes.withUnsafeBytes { sealed.write($0, at: Int64(offset)) } == SQLITE_OK)
                if model.count < offset + count {
                    model += [UInt8](repeating: 0, count: offset + count - model.count)
                }
                model.replaceSubrange(offset..<(offset + count), with: bytes)
            case 4:
                #expect(sealed.truncate(to: Int64(offset)) == SQLITE_OK)
                let kept = model.prefix(offset)
                model = kept + [UInt8](repeating: 0, count: offset - kept.count)
            default:
                var bytes = [UInt8](repeating: 1, count: count)
                let result = bytes.withUnsafeMutableBytes { sealed.read($0, at: Int64(offset)) }
                let there = Array(model.dropFirst(offset).prefix(count))
                #expect(bytes == there + [UInt8](repeating: 0, count: count - there.count))
                #expect(result == (there.count == count ? SQLITE_OK : FileFailure.shortRead))
            }
            var length: Int64 = 0
            #expect(sealed.length(&length) == SQLITE_OK && length == model.count)
        }
    }

    @Test func itsBytesAreSealed() throws {
        let scratch = try ScratchFolder()
        let file = try DiskFile(scratch.file("temporary"))
        let sealed = SealedScratch(file.usual)
        for block in 0..<3 {
            let text = [UInt8](String(repeating: ScratchFolder.marker, count: 150).utf8.prefix(4096))
            #expect(text.withUnsafeBytes { sealed.write($0, at: Int64(block * 4096)) } == SQLITE_OK)
        }
        #expect(try scratch.bytes("temporary").count == 2 * 4136 && scratch.files().isEmpty)
    }

    @Test func aChangedBlockIsFound() throws {
        let scratch = try ScratchFolder()
        let file = try DiskFile(scratch.file("temporary"))
        let sealed = SealedScratch(file.usual)
        let blocks = [UInt8](repeating: 5, count: 3 * 4096)
        #expect(blocks.withUnsafeBytes { sealed.write($0, at: 0) } == SQLITE_OK)
        #expect(file.usual.write([9], count: 1, at: 100) == SQLITE_OK)
        var bytes = [UInt8](repeating: 0, count: 10)
        #expect(bytes.withUnsafeMutableBytes { sealed.read($0, at: 0) } == SQLITE_CORRUPT)
    }
}

/// A file of SQLite's usual file system.
private final class DiskFile {
    let usual: UsualFile
    private let memory: UnsafeMutableRawPointer
    private let name: sqlite3_filename

    init(_ path: String) throws {
        let system = SealedFileSystem.usual
        memory = .allocate(byteCount: Int(system.pointee.szOsFile), alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: Int(system.pointee.szOsFile))
        usual = UsualFile(file: memory.assumingMemoryBound(to: sqlite3_file.self))
        name = try #require(sqlite3_create_filename(path, "", "", 0, nil))
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MAIN_DB
        try #require(system.pointee.xOpen(system, name, usual.file, flags, nil) == SQLITE_OK)
    }

    deinit {
        _ = usual.file.pointee.pMethods.pointee.xClose(usual.file)
        sqlite3_free_filename(name)
        memory.deallocate()
    }
}
