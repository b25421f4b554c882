import NIOCore
import SeededRandom
import Testing
import TranscriptSupport

@testable import BLIPProtocol

/// Recorded frames, damaged at random: the engine decodes them or says why not, and never crashes.
@Suite struct DecoderFuzzTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>) func damagedFramesAreDecodedOrRefused(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let recorded = try ["03-push-three", "07-blobs", "05b-conflict-local-wins"].map { name in
            let transcript = try Transcript.load(name)
            let frames = transcript.frames(of: try #require(transcript.connections.last), .toServer)
            return frames.map { ByteBuffer(bytes: $0.bytes) }
        }
        var refused = 0
        for _ in 0..<200 {
            let frames = try #require(recorded.randomElement(using: &generator))
            refused += feed(damaged(frames, using: &generator)) ? 0 : 1
        }
        #expect(refused > 0)
    }

    /// False when the engine refused a frame.
    private func feed(_ frames: [ByteBuffer]) -> Bool {
        var engine = BLIPEngine()
        engine.outgoing.lastNumber = 1_000
        for number in UInt32(1)...40 {
            engine.replies.awaited[number] = .init(tag: 0, streams: number.isMultiple(of: 2), isExpected: true)
        }
        return code { () throws(BLIPError) in
            for frame in frames { try engine.receive(frame) }
            _ = try engine.frames()
        } == nil
    }

    private func damaged(_ frames: [ByteBuffer], using generator: inout SeededGenerator) -> [ByteBuffer] {
        var frames = frames
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            guard let index = frames.indices.randomElement(using: &generator) else { return frames }
            var bytes = Array(frames[index].readableBytesView)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0:
                bytes[Int.random(in: bytes.indices, using: &generator)] ^= UInt8.random(in: 1...255, using: &generator)
            case 1: bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator))
            case 2: bytes.append(contentsOf: generator.bytes(Int.random(in: 1...20, using: &generator)))
            case 3: bytes[0] = UInt8.random(in: 0...255, using: &generator)
            case 4: frames.swapAt(index, frames.indices.randomElement(using: &generator) ?? index)
            default: bytes = generator.bytes(Int.random(in: 0...200, using: &generator))
            }
            frames[index] = ByteBuffer(bytes: bytes)
        }
        return frames
    }
}
