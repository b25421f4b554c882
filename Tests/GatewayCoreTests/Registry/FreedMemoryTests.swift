import Foundation
@testable import GatewayCore
import Glibc
import Testing

/// The tests run in processes of their own, since memory that other tests have freed, or free at the same time, is
/// resident memory, too.
@Suite struct FreedMemoryTests {
    @Test(.timeLimit(.minutes(1))) func aBurstIsGivenBack() async {
        await #expect(processExitsWith: .success) { try FreedMemoryTests.giveBackABurst() }
    }

    private static func giveBackABurst() throws {
        var memory = FreedMemory()
        memory.giveBack()
        let before = ProcessMemory.resident
        // Many small blocks of which few stay, as after a burst of lists.
        let size = 4_000
        let count = 2 * GatewayLimits.memoryWorthGivingBack / size
        let blocks = try (0..<count).map { _ in
            guard let block = malloc(size) else { throw CancellationError() }
            memset(block, 1, size)
            return block
        }
        for (index, block) in blocks.enumerated() where index % 100 != 0 { free(block) }
        let full = ProcessMemory.resident
        try #require(full > before + GatewayLimits.memoryWorthGivingBack, "malloc kept nothing: \(before) \(full)")
        let isDone = memory.giveBack()
        #expect(isDone)
        let after = ProcessMemory.resident
        #expect(after < before + (full - before) / 2, "\(before) \(full) \(after)")
        let isDoneAgain = memory.giveBack()
        #expect(!isDoneAgain, "not without cause")
        for (index, block) in blocks.enumerated() where index % 100 == 0 { free(block) }
    }

    /// Freeing something large makes malloc keep up to twice as much at the end of each thread's arena.
    @Test(.timeLimit(.minutes(1))) func theEndsOfArenasAreGivenBack() async {
        await #expect(processExitsWith: .success) { FreedMemoryTests.giveBackTheEndsOfArenas() }
    }

    private static func giveBackTheEndsOfArenas() {
        var memory = FreedMemory()
        free(malloc(30 << 20))
        memory.giveBack()
        let before = ProcessMemory.resident
        let ended = DispatchSemaphore(value: 0)
        for _ in 0..<8 {
            Thread.detachNewThread {
                let blocks = (0..<400).map { _ in
                    let block = malloc(100_000)
                    if let block { memset(block, 1, 100_000) }
                    return block
                }
                blocks.forEach { free($0) }
                ended.signal()
            }
        }
        for _ in 0..<8 { ended.wait() }
        memory.giveBack()
        #expect(ProcessMemory.resident < before + (80 << 20), "\(before) \(ProcessMemory.resident)")
    }
}
