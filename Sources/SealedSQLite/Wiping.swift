import Glibc

/// Overwrites plain bytes before their memory is released.
func wipe(_ memory: UnsafeMutableRawBufferPointer) {
    if let start = memory.baseAddress { explicit_bzero(start, memory.count) }
}
