import Foundation
import Glibc

/// The kernel's figures of this process.
package enum ProcessMemory {
    /// Bytes in memory; 0 where `/proc` is not there.
    package static var resident: Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
