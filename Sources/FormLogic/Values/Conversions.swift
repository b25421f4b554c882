import DocumentValues

/// Turns values of one type into another, in a zone.
package struct Conversions: Sendable {
    package let zone: any FormZone

    package init(zone: any FormZone) { self.zone = zone }

    // MARK: Texts

    package func text(_ value: FormValue) -> String {
        switch value {
        case .text(let text): text
        case .number(let number): FormNumberText.of(number)
        case .boolean(let boolean): boolean ? "true" : "false"
        case .moment(let moment): MomentText.date(day(of: moment))
        case .time(let time): time.text
        }
    }

    /// With the time and the offset, as it is stored: `2026-03-04T13:45:30.500+01:00`.
    package func wholeText(_ moment: Moment) -> String {
        let offset = zone.offset(at: CalendarMath.floorDivide(moment.instant, by: 1000))
        let time = MomentText.time(milliseconds: clock(of: moment), offset: offset)
        return "\(MomentText.date(day(of: moment)))T\(time)"
    }

    /// A time of day as it is stored, `13:45:00.000+01:00`; `nil` for another text.
    ///
    /// - Parameter now: milliseconds since 1970. A text without an offset has that of its time on this day.
    package func wholeTime(_ text: String, now: Int64) -> TimeOfDay? {
        guard let (milliseconds, offset) = MomentText.clock(text.trimmingSpaces) else { return nil }
        let today = day(of: Moment(instant: now, kind: .dateTime))
        let moment = moment(MomentText.Parts(day: today, milliseconds: milliseconds))
        let local = moment.map { zone.offset(at: CalendarMath.floorDivide($0.instant, by: 1000)) }
        let whole = MomentText.time(milliseconds: milliseconds, offset: offset ?? local ?? 0)
        return TimeOfDay(text: whole, milliseconds: milliseconds)
    }

    // MARK: Numbers

    package func number(_ value: FormValue) -> Double {
        switch value {
        case .text(let text): number(text)
        case .number(let number): number
        case .boolean(let boolean): boolean ? 1 : 0
        case .moment(let moment): Double(day(of: moment))
        case .time(let time): fraction(time)
        }
    }

    /// The same, with the time of a moment as a fraction of its day.
    package func fractionalNumber(_ value: FormValue) -> Double {
        guard case .moment(let moment) = value else { return number(value) }
        return decimalDays(moment)
    }

    private func number(_ text: String) -> Double {
        if MomentText.looksLikeDate(text), let parts = try? MomentText.parse(text), let moment = moment(parts) {
            return Double(day(of: moment))
        }
        return NumberReading.number(text) ?? .nan
    }

    package func fraction(_ time: TimeOfDay) -> Double {
        Double(time.milliseconds) / Double(CalendarMath.millisecondsOfDay)
    }

    // MARK: Booleans

    package func boolean(_ value: FormValue) -> Bool {
        switch value {
        case .text(let text): !text.isEmpty
        case .number(let number): !number.isNaN && abs(number) >= FormNumberText.tolerance
        case .boolean(let boolean): boolean
        case .moment, .time: true
        }
    }

    // MARK: Moments

    /// Days from 1970 to the local day.
    package func day(of moment: Moment) -> Int64 {
        CalendarMath.floorDivide(zone.local(of: moment.instant), by: CalendarMath.millisecondsOfDay)
    }

    /// Milliseconds since local midnight, by the clock.
    package func clock(of moment: Moment) -> Int {
        let local = zone.local(of: moment.instant)
        return Int(local - day(of: moment) * CalendarMath.millisecondsOfDay)
    }

    /// Days with their fraction since 1970-01-01T00:00Z.
    package func decimalDays(_ moment: Moment) -> Double {
        Double(moment.instant) / Double(CalendarMath.millisecondsOfDay)
    }

    /// Local midnight of a day; `nil` outside the years from 1 to 9999.
    package func date(_ day: Int64) -> Moment? {
        guard CalendarMath.days.contains(day) else { return nil }
        return Moment(instant: zone.instant(ofLocal: day * CalendarMath.millisecondsOfDay), kind: .date)
    }

    /// `nil` outside the years from 1 to 9999.
    package func moment(_ parts: MomentText.Parts) -> Moment? {
        guard let milliseconds = parts.milliseconds else { return date(parts.day) }
        let local = parts.day * CalendarMath.millisecondsOfDay + Int64(milliseconds)
        let instant = parts.offset.map { local - $0 * 1000 } ?? zone.instant(ofLocal: local)
        let moment = Moment(instant: instant, kind: .dateTime)
        return CalendarMath.days.contains(day(of: moment)) ? moment : nil
    }

    package func cutToDay(_ moment: Moment) -> Moment { date(day(of: moment)) ?? moment }
}

/// Reads a number as a person writes it in a cell.
enum NumberReading {
    /// White space around it does not count, a comma is a point; a sign only before it, no exponent.
    static func number(_ text: String) -> Double? {
        let bytes = text.trimmingSpaces.utf8
        guard !bytes.isEmpty, bytes.count <= 400 else { return nil }
        var plain: [UInt8] = []
        var (digits, points) = (0, 0)
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits += 1
                plain.append(byte)
            case UInt8(ascii: "-") where index == 0: plain.append(byte)
            case UInt8(ascii: "."), UInt8(ascii: ","):
                points += 1
                // A digit before it and one behind it, which not all readers do without.
                if digits == 0 { plain.append(UInt8(ascii: "0")) }
                plain.append(UInt8(ascii: "."))
            default: return nil
            }
        }
        guard digits > 0, points <= 1 else { return nil }
        if plain.last == UInt8(ascii: ".") { plain.append(UInt8(ascii: "0")) }
        return Double(String(decoding: plain, as: UTF8.self))
    }
}
