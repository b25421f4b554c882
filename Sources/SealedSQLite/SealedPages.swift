import GRDBSQLite

/// The file of a database: its pages, each sealed by itself at its usual offset.
final class SealedPages: SealedContent {
    let sealing: FileSealing
    private let file: UsualFile
    private let codec: PageCodec
    /// One page as it is on the disk, and one as SQLite sees it.
    private let sealed: UnsafeMutableRawBufferPointer
    private let plain: UnsafeMutableRawBufferPointer

    init(_ file: UsualFile, sealing: FileSealing) {
        self.file = file
        self.sealing = sealing
        codec = PageCodec(sealing)
        sealed = .allocate(byteCount: codec.pageSize, alignment: 16)
        plain = .allocate(byteCount: codec.pageSize, alignment: 16)
    }

    deinit {
        wipe(plain)
        sealed.deallocate()
        plain.deallocate()
    }

    func read(_ target: UnsafeMutableRawBufferPointer, at offset: Int64) -> CInt {
        let size = codec.pageSize
        let (index, within) = offset.quotientAndRemainder(dividingBy: Int64(size))
        if within == 0, target.count == size { return readPage(index + 1, into: target) }
        return readPart(target, of: index + 1, from: Int(within))
    }

    private func readPage(_ number: Int64, into page: UnsafeMutableRawBufferPointer) -> CInt {
        let result = file.read(sealed.baseAddress!, count: page.count, at: (number - 1) * Int64(page.count))
        guard result == SQLITE_OK || result == FileFailure.shortRead else { return result }
        if codec.open(sealed.baseAddress!, number: number, into: page.baseAddress!) { return result }
        // Pages behind the end, and those that SQLite has left out while the file grew.
        guard result == FileFailure.shortRead || UnsafeRawBufferPointer(sealed).isZero else { return SQLITE_CORRUPT }
        page.initializeMemory(as: UInt8.self, repeating: 0)
        return result
    }

    /// SQLite reads parts of the first page alone: the header, before it knows the size of pages, and the counter of changes.
    private func readPart(_ target: UnsafeMutableRawBufferPointer, of number: Int64, from start: Int) -> CInt {
        guard start + target.count <= plain.count else { return FileFailure.read }
        var result = readPage(number, into: plain)
        if result == SQLITE_CORRUPT, number == 1 {
            // After a power cut the page may be torn, and be whole in the log, from which SQLite reads it then. Until it knows
            // of the log it needs the part that does not depend on the page's content.
            plain.initializeMemory(as: UInt8.self, repeating: 0)
            codec.putPlainStart(into: plain.baseAddress!)
            result = SQLITE_OK
        }
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: plain[start..<(start + target.count)]))
        return result
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> CInt {
        let size = codec.pageSize
        let (index, within) = offset.quotientAndRemainder(dividingBy: Int64(size))
        // Anything else would be lost or plain.
        guard within == 0, bytes.count == size, index > 0 || PlainHeader.fits(bytes, pageSize: size) else {
            return FileFailure.write
        }
        codec.seal(bytes.baseAddress!, number: index + 1, into: sealed.baseAddress!)
        return file.write(sealed.baseAddress!, count: size, at: offset)
    }

    func truncate(to length: Int64) -> CInt { file.truncate(to: length) }

    func length(_ length: inout Int64) -> CInt { file.length(&length) }
}
