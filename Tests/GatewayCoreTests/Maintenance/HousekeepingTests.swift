import Testing

@testable import GatewayCore

@Suite struct HousekeepingTests {
    @Test func aFailedStepKeepsNoOtherAndIsReported() async {
        var round = Housekeeping()
        await round.take("first") { throw GatewayError.diskFull }
        let second = await round.take("second") { 7 }
        let third: Int? = await round.take("third") { throw GatewayError.missing }
        #expect(second == 7 && third == nil)
        #expect(round.failures.map(\.step) == ["first", "third"])
        #expect(round.failures.map { GatewayError($0.error) } == [.diskFull, .missing])
    }
}
