import GRDBSQLite
import SodiumCrypto

/// The log of a database: its frames, whose pages are sealed one by one.
final class SealedLog: SealedContent {
    private let file: UsualFile
    private let layout: LogLayout
    private let codec: FrameCodec
    /// A frame as it is on the disk, and a page as SQLite sees it.
    private let sealed: UnsafeMutableRawBufferPointer
    private let plain: UnsafeMutableRawBufferPointer
    /// The frame whose header is at the start of `sealed`; SQLite writes it right before its page.
    private var headerInMemory: Int64?

    private var page: UnsafeMutableRawPointer { sealed.baseAddress! + LogLayout.frameHeader }
    private var markedPage: Int { layout.pageSize + SecretKey.sealingOverhead }

    init(_ file: UsualFile, sealing: FileSealing) {
        self.file = file
        layout = LogLayout(pageSize: sealing.head.pageSize)
        codec = FrameCodec(sealing)
        sealed = .allocate(byteCount: Int(layout.sealedFrame), alignment: 16)
        plain = .allocate(byteCount: layout.pageSize, alignment: 16)
    }

    deinit {
        wipe(plain)
        sealed.deallocate()
        plain.deallocate()
    }

    // MARK: Reading

    func read(_ target: UnsafeMutableRawBufferPointer, at offset: Int64) -> CInt {
        if offset + Int64(target.count) <= LogLayout.header {
            return file.read(target.baseAddress!, count: target.count, at: offset)
        }
        guard offset >= LogLayout.header else { return FileFailure.read }
        let (index, within) = layout.position(of: offset)
        if within == 0, target.count == Int(layout.frame) { return readFrame(index, into: target) }
        guard within + target.count <= Int(layout.frame) else { return FileFailure.read }
        if within == LogLayout.frameHeader, target.count == layout.pageSize {
            return readPage(of: index, into: target.baseAddress!)
        }
        return readPart(target, of: index, from: within)
    }

    private func load(_ index: Int64) -> CInt {
        headerInMemory = nil
        return file.read(sealed.baseAddress!, count: sealed.count, at: layout.sealedStart(ofFrame: index))
    }

    private func openPage(of index: Int64, into target: UnsafeMutableRawPointer) -> Bool {
        codec.open(page, frame: index, header: sealed.baseAddress!, into: target)
    }

    /// SQLite reads whole frames to find the end of a log that a crash has left.
    private func readFrame(_ index: Int64, into frame: UnsafeMutableRawBufferPointer) -> CInt {
        let result = load(index)
        guard result == SQLITE_OK || result == FileFailure.shortRead else { return result }
        frame.copyMemory(from: UnsafeRawBufferPointer(rebasing: sealed[..<LogLayout.frameHeader]))
        if !openPage(of: index, into: frame.baseAddress! + LogLayout.frameHeader) {
            // A frame that is not whole ends the log, as one does whose salts are of another round. The checksum is not
            // enough: a frame of zeros could be made that has the right one.
            for index in Self.salts { frame[index] = ~frame[index] }
        }
        return result
    }

    private static let salts = 8..<16

    private func readPage(of index: Int64, into target: UnsafeMutableRawPointer) -> CInt {
        let result = load(index)
        guard result == SQLITE_OK else { return result }
        return openPage(of: index, into: target) ? SQLITE_OK : SQLITE_CORRUPT
    }

    private func readPart(_ target: UnsafeMutableRawBufferPointer, of index: Int64, from start: Int) -> CInt {
        let end = start + target.count
        if end <= LogLayout.frameHeader {
            let offset = layout.sealedStart(ofFrame: index) + Int64(start)
            return file.read(target.baseAddress!, count: target.count, at: offset)
        }
        guard start >= LogLayout.frameHeader else { return FileFailure.read }
        let result = readPage(of: index, into: plain.baseAddress!)
        guard result == SQLITE_OK else { return result }
        let part = plain[(start - LogLayout.frameHeader)..<(end - LogLayout.frameHeader)]
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
        return SQLITE_OK
    }

    // MARK: Writing

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> CInt {
        if offset + Int64(bytes.count) <= LogLayout.header {
            return file.write(bytes.baseAddress!, count: bytes.count, at: offset)
        }
        guard offset >= LogLayout.header else { return FileFailure.write }
        let (index, within) = layout.position(of: offset)
        switch (within, bytes.count) {
        case (0, LogLayout.frameHeader): return writeHeader(bytes, of: index)
        case (LogLayout.frameHeader, layout.pageSize): return writePage(bytes.baseAddress!, of: index)
        // Anything else would be lost or plain.
        default: return FileFailure.write
        }
    }

    private func writeHeader(_ header: UnsafeRawBufferPointer, of index: Int64) -> CInt {
        sealed.copyMemory(from: header)
        headerInMemory = index
        return file.write(header.baseAddress!, count: header.count, at: layout.sealedStart(ofFrame: index))
    }

    private func writePage(_ plain: UnsafeRawPointer, of index: Int64) -> CInt {
        let start = layout.sealedStart(ofFrame: index)
        if headerInMemory != index {
            // A page that the transaction has written before: its frame stays, and its checksum follows.
            let result = file.read(sealed.baseAddress!, count: LogLayout.frameHeader, at: start)
            guard result == SQLITE_OK else { return result }
            headerInMemory = index
        }
        codec.seal(plain, frame: index, header: sealed.baseAddress!, into: page)
        return file.write(page, count: markedPage, at: start + Int64(LogLayout.frameHeader))
    }

    func truncate(to length: Int64) -> CInt { file.truncate(to: layout.sealedLength(length)) }

    func length(_ length: inout Int64) -> CInt {
        let result = file.length(&length)
        length = layout.length(length)
        return result
    }
}
