/// What the functions of a connection share. It is used by one thread at a time.
package final class FunctionContext {
    package let zone: any LocalZone
    package let meter: WorkMeter
    let patterns: PatternCache

    package init(zone: any LocalZone = UniversalZone(), meter: WorkMeter = WorkMeter()) {
        self.zone = zone
        self.meter = meter
        patterns = PatternCache(meter)
    }
}
