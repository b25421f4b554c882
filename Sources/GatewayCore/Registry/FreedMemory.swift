import Glibc

/// Gives freed memory back to the system: malloc would keep the memory of a burst of large lists, hundreds of
/// megabytes, as long as the process runs.
struct FreedMemory {
    /// The fewest resident bytes since the last time.
    private var kept = ProcessMemory.resident

    // A function of `malloc.h`, which the module of the C library does not show, and other C libraries do not have.
    private static let trim = dlsym(nil, "malloc_trim").map {
        unsafeBitCast($0, to: (@convention(c) (Int) -> Int32).self)
    }
    private static let setOption = dlsym(nil, "mallopt").map {
        unsafeBitCast($0, to: (@convention(c) (Int32, Int32) -> Int32).self)
    }
    private static let trimThreshold: Int32 = -1
    private static let mapThreshold: Int32 = -3

    /// Makes malloc give back the free memory at the end of each of its arenas, which trimming does not do. By default
    /// it gives back from 128 KiB on, but after a large block was freed, it keeps up to 64 MiB in each arena.
    init() {
        _ = Self.setOption?(Self.trimThreshold, Int32(GatewayLimits.freeBytesOfArena))
        _ = Self.setOption?(Self.mapThreshold, Int32(GatewayLimits.bytesMappedApart))
    }

    /// Trims if memory has grown much since, because it takes up to some tens of milliseconds.
    ///
    /// - Returns: whether it was done.
    @discardableResult
    mutating func giveBack() -> Bool {
        guard let trim = Self.trim else { return false }
        let bytes = ProcessMemory.resident
        guard bytes >= kept + GatewayLimits.memoryWorthGivingBack else {
            kept = min(kept, bytes)
            return false
        }
        _ = trim(0)
        kept = ProcessMemory.resident
        return true
    }
}
