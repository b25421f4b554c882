import Glibc

/// Gives freed memory back to the system: malloc keeps what a burst of large lists took, hundreds of megabytes, for as
/// long as the process runs.
struct FreedMemory {
    /// The fewest bytes that were resident since the last time.
    private var kept = ProcessMemory.resident

    // What `malloc.h` declares, which the module of the C library does not show and other C libraries do not have.
    private static let trim = dlsym(nil, "malloc_trim").map {
        unsafeBitCast($0, to: (@convention(c) (Int) -> Int32).self)
    }
    private static let setOption = dlsym(nil, "mallopt").map {
        unsafeBitCast($0, to: (@convention(c) (Int32, Int32) -> Int32).self)
    }
    private static let trimThreshold: Int32 = -1
    private static let mapThreshold: Int32 = -3

    /// Has malloc give back what is free at the end of each of its arenas, which trimming does not look at. By itself it
    /// does so from 128 KiB on, until something large was freed: then it keeps up to 64 MiB in each.
    init() {
        _ = Self.setOption?(Self.trimThreshold, Int32(GatewayLimits.freeBytesOfArena))
        _ = Self.setOption?(Self.mapThreshold, Int32(GatewayLimits.bytesMappedApart))
    }

    /// Does it where much has come since, as it costs up to some tens of milliseconds.
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
