import Testing

@testable import GatewayServer

@Suite struct ByteRangeTests {
    @Test(arguments: [
        ("bytes=0-0", 0..<1), ("bytes=2-", 2..<10), ("bytes=2-5", 2..<6), ("bytes=-4", 6..<10),
        ("bytes=5-9223372036854775807", 5..<10), ("bytes=5-99999999999999999999", 5..<10),
    ])
    func isReadWithinTheLength(header: String, range: Range<Int>) {
        #expect(ByteRange(header, length: 10) == .part(range))
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "bytes=-", "bytes=6-5", "bytes=0-1,3-4", "lines=0-1", "bytes=a-b",
        "bytes=-9223372036854775808", "bytes=0-", "bytes=0-9", "bytes=0-99", "bytes=-99", "bytes=--1",
    ])
    func everythingOrNothingUnderstoodIsTheWhole(header: String) {
        #expect(ByteRange(header, length: 10) == .whole)
    }

    @Test(arguments: ["bytes=10-", "bytes=-0", "bytes=9223372036854775807-", "bytes=99999999999999999999-1"])
    func behindTheEndIsOutside(header: String) { #expect(ByteRange(header, length: 10) == .outside) }

    /// There is no first byte that an answer could name.
    @Test(arguments: ["bytes=0-", "bytes=-1", "bytes=0-0"]) func nothingHasNoRanges(header: String) {
        #expect(ByteRange(header, length: 0) == .outside)
    }
}
