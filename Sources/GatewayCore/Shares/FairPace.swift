/// Lets others have the thread now and then during work of many steps that wait for nothing: there is one thread a core
/// for everybody's requests.
package struct FairPace: Sendable {
    private var start = ContinuousClock.now

    package init() {}

    /// To be called after each step. Those who wait for a thread run before this returns, when its turn is over.
    package mutating func giveWay() async {
        guard start.duration(to: .now) >= GatewayLimits.turn else { return }
        await Task.yield()
        start = .now
    }
}
