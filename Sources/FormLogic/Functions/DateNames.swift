import DocumentValues

/// The short names of months and days in a language.
struct DateNames: Sendable {
    /// From January.
    let months: [String]
    /// From Monday.
    let days: [String]

    private init(_ months: String, days: String) {
        self.months = months.spacedParts
        self.days = days.spacedParts
    }

    /// English for a language without a table. `pt-BR` is Portuguese.
    static func of(_ language: Name?) -> DateNames {
        guard let language else { return english }
        let code = language.text.lowercased().unicodeScalars.prefix { $0 != "-" && $0 != "_" }
        return tables[Name(String(String.UnicodeScalarView(code)))] ?? english
    }

    private static let english = DateNames(
        "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec", days: "Mon Tue Wed Thu Fri Sat Sun")

    private static let tables: [Name: DateNames] = [
        "en": english,
        "ar": DateNames(
            "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
            days: "الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد"),
        "de": DateNames(
            "Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.", days: "Mo. Di. Mi. Do. Fr. Sa. So."),
        "es": DateNames(
            "ene feb mar abr may jun jul ago sept oct nov dic", days: "lun mar mié jue vie sáb dom"),
        "fr": DateNames(
            "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
            days: "lun. mar. mer. jeu. ven. sam. dim."),
        "id": DateNames("Jan Feb Mar Apr Mei Jun Jul Agu Sep Okt Nov Des", days: "Sen Sel Rab Kam Jum Sab Min"),
        "it": DateNames("gen feb mar apr mag giu lug ago set ott nov dic", days: "lun mar mer gio ven sab dom"),
        "nl": DateNames("jan feb mrt apr mei jun jul aug sep okt nov dec", days: "ma di wo do vr za zo"),
        "pl": DateNames("sty lut mar kwi maj cze lip sie wrz paź lis gru", days: "pon. wt. śr. czw. pt. sob. niedz."),
        "pt": DateNames(
            "jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez.", days: "seg. ter. qua. qui. sex. sáb. dom."),
        "ru": DateNames(
            "янв. февр. мар. апр. мая июн. июл. авг. сент. окт. нояб. дек.", days: "пн вт ср чт пт сб вс"),
        "sw": DateNames(
            "Jan Feb Mac Apr Mei Jun Jul Ago Sep Okt Nov Des",
            days: "Jumatatu Jumanne Jumatano Alhamisi Ijumaa Jumamosi Jumapili"),
    ]
}
