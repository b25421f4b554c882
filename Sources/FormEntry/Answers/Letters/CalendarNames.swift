import DocumentValues
import FormLogic

/// The names of months and days in a language.
struct CalendarNames: Sendable {
    let code: Name
    /// In full, from January.
    let months: [String]
    /// In full, from Monday.
    let days: [String]
    /// As a date shows them, from Monday.
    let shortDays: [String]
    /// The mark behind the number of the day: `4. März`.
    let dayEnd: String
    /// Abbreviations that are no beginnings, with the month from 1.
    private let otherMonths: [(text: String, month: Int)]
    private let foldedMonths: [String]
    private let foldedDays: [String]

    private init(
        _ code: Name, months: String, days: String, shortDays: String, dayEnd: String = "",
        other: [(text: String, month: Int)] = []
    ) {
        self.code = code
        self.months = months.spacedParts
        self.days = days.spacedParts
        self.shortDays = shortDays.spacedParts
        self.dayEnd = dayEnd
        otherMonths = other
        foldedMonths = self.months.map { FoldedText.of($0) }
        foldedDays = self.days.map { FoldedText.of($0) }
    }

    /// English for a language without a table. `pt-BR` is Portuguese.
    static func of(_ language: Name?) -> CalendarNames { table(of: language) ?? english }

    private static func table(of language: Name?) -> CalendarNames? {
        guard let language else { return nil }
        let code = language.text.lowercased().unicodeScalars.prefix { $0 != "-" && $0 != "_" }
        let name = Name(String(String.UnicodeScalarView(code)))
        return all.first { $0.code == name }
    }

    // MARK: Reading

    /// From 1; a beginning of three letters is enough. The person's language goes first, then English, then any in which
    /// it is a month, if all of these agree.
    ///
    /// - Parameter folded: as `FoldedText` gives it, without a full stop.
    static func month(_ folded: String, language: Name?) -> Int? {
        find(folded, language: language) { $0.month(folded) }
    }

    /// From 0, Monday. Another language's name is none where it may be a month.
    static func weekday(_ folded: String, language: Name?) -> Int? {
        for names in [table(of: language), english].compactMap(\.self) {
            if let day = names.weekday(folded) { return day }
        }
        return month(folded, language: language) == nil ? find(folded, language: language) { $0.weekday(folded) } : nil
    }

    private static func find(_ folded: String, language: Name?, in names: (CalendarNames) -> Int?) -> Int? {
        if let found = table(of: language).flatMap(names) ?? names(english) { return found }
        let others = Set(all.compactMap(names))
        return others.count == 1 ? others.first : nil
    }

    private func month(_ folded: String) -> Int? {
        if let other = otherMonths.first(where: { $0.text.isExactly(folded) }) { return other.month }
        return Self.only(folded, of: foldedMonths, letters: 3).map { $0 + 1 }
    }

    private func weekday(_ folded: String) -> Int? { Self.only(folded, of: foldedDays, letters: 2) }

    /// The index of the only name that begins so.
    private static func only(_ folded: String, of names: [String], letters: Int) -> Int? {
        guard folded.utf8.count >= letters else { return nil }
        if let exact = names.firstIndex(where: { $0.isExactly(folded) }) { return exact }
        let found = names.indices.filter { names[$0].hasExactPrefix(folded) }
        return found.count == 1 ? found[0] : nil
    }

    // MARK: Tables

    static let english = CalendarNames(
        "en", months: "January February March April May June July August September October November December",
        days: "Monday Tuesday Wednesday Thursday Friday Saturday Sunday", shortDays: "Mon Tue Wed Thu Fri Sat Sun")

    static let all = [
        english,
        CalendarNames(
            "de", months: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
            days: "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag", shortDays: "Mo Di Mi Do Fr Sa So",
            dayEnd: ".", other: [("janner", 1), ("jaenner", 1), ("mrz", 3), ("maerz", 3)]),
        CalendarNames(
            "fr", months: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
            days: "lundi mardi mercredi jeudi vendredi samedi dimanche", shortDays: "lun mar mer jeu ven sam dim"),
        CalendarNames(
            "es", months: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
            days: "lunes martes miércoles jueves viernes sábado domingo", shortDays: "lun mar mié jue vie sáb dom",
            other: [("set", 9), ("setiembre", 9)]),
        CalendarNames(
            "pt", months: "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
            days: "segunda terça quarta quinta sexta sábado domingo", shortDays: "seg ter qua qui sex sáb dom"),
        CalendarNames(
            "it",
            months: "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
            days: "lunedì martedì mercoledì giovedì venerdì sabato domenica", shortDays: "lun mar mer gio ven sab dom"),
        CalendarNames(
            "nl", months: "januari februari maart april mei juni juli augustus september oktober november december",
            days: "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag", shortDays: "ma di wo do vr za zo",
            other: [("mrt", 3)]),
    ]
}
