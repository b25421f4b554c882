import GRDBSQLite
import SodiumCrypto
import Synchronization

/// A temporary file of SQLite's, sealed in blocks with a key that only this process has: the tables and rows of a large sort,
/// the copy that `VACUUM` makes, the pages that an undone statement brings back.
///
/// SQLite reads and writes anywhere in it. Blocks are sealed as a whole; one is kept in memory, so that a row of small
/// writes seals each block once.
final class SealedScratch: SealedContent {
    private static let key = SecretKey()
    private static let count = Atomic<UInt64>(0)

    private let file: UsualFile
    /// The number of the file and that of the block.
    private let context = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 8)
    private let sealed: UnsafeMutableRawBufferPointer
    private let plain: UnsafeMutableRawBufferPointer
    /// The block in `plain`.
    private var inMemory: Int64?
    private var isChanged = false
    /// As SQLite sees it. The file belongs to this connection alone.
    private var size: Int64 = 0

    private static let block = SealedFileLimits.scratchBlock

    init(_ file: UsualFile) {
        self.file = file
        sealed = .allocate(byteCount: Self.block + SecretKey.sealingOverhead, alignment: 16)
        plain = .allocate(byteCount: Self.block, alignment: 16)
        let number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
        context.storeBytes(of: number, as: UInt64.self)
    }

    deinit {
        wipe(plain)
        for memory in [context, sealed, plain] { memory.deallocate() }
    }

    func read(_ target: UnsafeMutableRawBufferPointer, at offset: Int64) -> CInt {
        let there = Int(max(0, min(Int64(target.count), size - offset)))
        let result = forEachBlock(from: offset, count: there) { block, within, range in
            let result = load(block, isReplaced: false)
            guard result == SQLITE_OK else { return result }
            UnsafeMutableRawBufferPointer(rebasing: target[range]).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: plain[within..<(within + range.count)]))
            return SQLITE_OK
        }
        guard result == SQLITE_OK, there < target.count else { return result }
        UnsafeMutableRawBufferPointer(rebasing: target[there...]).initializeMemory(as: UInt8.self, repeating: 0)
        return FileFailure.shortRead
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> CInt {
        let result = forEachBlock(from: offset, count: bytes.count) { block, within, range in
            let result = load(block, isReplaced: range.count == Self.block)
            guard result == SQLITE_OK else { return result }
            UnsafeMutableRawBufferPointer(rebasing: plain[within..<(within + range.count)]).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[range]))
            isChanged = true
            return SQLITE_OK
        }
        if result == SQLITE_OK { size = max(size, offset + Int64(bytes.count)) }
        return result
    }

    /// - Parameter body: gets a block, the position in it, and the range of the bytes that are there.
    private func forEachBlock(from offset: Int64, count: Int, body: (Int64, Int, Range<Int>) -> CInt) -> CInt {
        var done = 0
        while done < count {
            let (block, within) = (offset + Int64(done)).quotientAndRemainder(dividingBy: Int64(Self.block))
            let part = min(count - done, Self.block - Int(within))
            let result = body(block, Int(within), done..<(done + part))
            guard result == SQLITE_OK else { return result }
            done += part
        }
        return SQLITE_OK
    }

    /// Has a block in memory; zeros if it was never written.
    ///
    /// - Parameter isReplaced: the whole block is written next.
    private func load(_ block: Int64, isReplaced: Bool) -> CInt {
        guard inMemory != block else { return SQLITE_OK }
        let stored = store()
        guard stored == SQLITE_OK else { return stored }
        inMemory = nil
        if !isReplaced {
            let result = file.read(sealed.baseAddress!, count: sealed.count, at: Self.start(of: block))
            guard result == SQLITE_OK || result == FileFailure.shortRead else { return result }
            let isOpen = Self.key.open(
                UnsafeRawBufferPointer(rebasing: sealed[..<Self.block]), into: plain.baseAddress!,
                mark: sealed.baseAddress! + Self.block, context: context(block))
            guard isOpen || UnsafeRawBufferPointer(sealed).isZero else { return SQLITE_CORRUPT }
        }
        inMemory = block
        return SQLITE_OK
    }

    private func store() -> CInt {
        guard let block = inMemory, isChanged else { return SQLITE_OK }
        Self.key.seal(
            UnsafeRawBufferPointer(plain), into: sealed.baseAddress!, mark: sealed.baseAddress! + Self.block,
            context: context(block))
        let result = file.write(sealed.baseAddress!, count: sealed.count, at: Self.start(of: block))
        if result == SQLITE_OK { isChanged = false }
        return result
    }

    private static func start(of block: Int64) -> Int64 { block * Int64(Self.block + SecretKey.sealingOverhead) }

    private func context(_ block: Int64) -> UnsafeRawBufferPointer {
        context.storeBytes(of: block, toByteOffset: 8, as: Int64.self)
        return UnsafeRawBufferPointer(context)
    }

    /// Bytes behind the new end are zeros, if the file grows again.
    func truncate(to length: Int64) -> CInt {
        guard length < size else {
            size = max(size, length)
            return SQLITE_OK
        }
        let (block, within) = length.quotientAndRemainder(dividingBy: Int64(Self.block))
        if within > 0 {
            let result = load(block, isReplaced: false)
            guard result == SQLITE_OK else { return result }
            wipe(UnsafeMutableRawBufferPointer(rebasing: plain[Int(within)...]))
            isChanged = true
        } else if let inMemory, inMemory >= block {
            (self.inMemory, isChanged) = (nil, false)
        }
        size = length
        return file.truncate(to: Self.start(of: within == 0 ? block : block + 1))
    }

    func length(_ length: inout Int64) -> CInt {
        length = size
        return SQLITE_OK
    }
}
