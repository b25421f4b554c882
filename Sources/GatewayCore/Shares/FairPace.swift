/// Gives the thread to others from time to time during work of many steps without a wait: all requests share one thread
/// for each core.
package struct FairPace: Sendable {
    private var start = ContinuousClock.now

    package init() {}

    /// Call it after each step. When the turn is over, tasks that wait for a thread run before it returns.
    package mutating func giveWay() async {
        guard start.duration(to: .now) >= GatewayLimits.turn else { return }
        await Task.yield()
        start = .now
    }
}
