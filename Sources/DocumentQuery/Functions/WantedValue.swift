/// A value that is looked for among many others: the bytes of an array or an object are made once.
package struct WantedValue {
    private let value: QueryValue
    private let bytes: [UInt8]
    private let meter: WorkMeter

    /// - Throws: `WorkEnded`; `FunctionError` for an array or an object of more bytes than a value may have.
    package init(_ value: QueryValue, meter: WorkMeter) throws {
        self.value = value
        self.meter = meter
        bytes = try value.containerBytes(meter: meter)
    }

    /// - Throws: the same.
    package func isEqual(to other: QueryValue) throws -> Bool {
        guard case .container = value, case .container = other else {
            try meter.count(QueryLimits.unitsOfStep)
            return try other.compared(to: value, meter: meter) == 0
        }
        return try other.containerBytes(meter: meter) == bytes
    }
}
